import BellerophonBase

extension GuardInstaller {
    /// The result of an uninstall.
    package struct Removal: Equatable, Sendable {
        /// The wrappers that were removed; empty if the profile was not installed.
        package let removed: [AbsolutePath]
        /// Facts that the administrator should know although the command succeeded, one line each.
        package let notes: [String]
    }

    /// What became of a place where a profile may have a wrapper.
    private enum Outcome {
        /// There is no wrapper of the profile.
        case nothing
        case removed
        /// It is not what `install` wrote. The reason completes "PATH …"; `isMarked`: whether it says that it is a wrapper of
        /// the profile.
        case left(reason: String, isMarked: Bool)
        case failed(GuardInstallError)
    }

    /// Removes the wrappers of a profile, also if the profile itself was deleted or is not accepted any more.
    ///
    /// A file at a wrapper's place that `install` did not write, or that was changed since, is left there. That is an error
    /// only if `install` had written a wrapper there.
    package func uninstall(_ name: GuardProfileName) throws(GuardInstallError) -> Removal {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let known = try records.wrappers(of: name)
        var (places, notes) = (known, [String]())
        do throws(GuardInstallError) {
            let wrapper = try folder.profile(name).wrapper
            if !places.contains(wrapper) { places.append(wrapper) }
        } catch {
            if known.isEmpty { notes.append("no install is recorded, and the profile does not say where: \(error)") }
        }
        var (removed, left, problems) = ([AbsolutePath](), [AbsolutePath](), [String]())
        for path in places {
            switch remove(name, at: path) {
            case .nothing: break
            case .removed: removed.append(path)
            case .failed(let error): throw error
            case .left(let reason, let isMarked) where isMarked || known.contains(path):
                left.append(path)
                problems.append("\(path) \(reason); it was left as it is. Remove it by hand")
            case .left(let reason, _): notes.append("\(path) \(reason); it was left as it is")
            }
        }
        if !known.isEmpty { try records.set(left, of: name) }
        guard problems.isEmpty else { throw GuardInstallError(.cantCreate, problems: problems) }
        return Removal(removed: removed, notes: notes)
    }

    /// Removes the wrappers that a profile has at places it no longer names. Those that can't be removed stay recorded.
    /// - Returns: a note for each place.
    func removeFormer(
        _ places: [AbsolutePath], keeping wrapper: AbsolutePath, of name: GuardProfileName
    ) throws(GuardInstallError) -> [String] {
        var (left, notes) = ([AbsolutePath](), [String]())
        for path in places {
            switch remove(name, at: path) {
            case .nothing: continue
            case .removed:
                notes.append("removed the former wrapper \(path)")
                continue
            case .left(let reason, _): notes.append("the former wrapper \(path) \(reason); it was left as it is")
            case .failed(let error): notes.append("the former wrapper \(path) was not removed: \(error)")
            }
            left.append(path)
        }
        try records.set(left + [wrapper], of: name)
        return notes
    }

    private func remove(_ name: GuardProfileName, at path: AbsolutePath) -> Outcome {
        do throws(GuardInstallError) {
            let place = try WrapperPlace(path, of: name, in: folder)
            switch try place.content() {
            case .nothing, .ofProfile: return .nothing
            case .foreign(let reason, let isMarked): return .left(reason: reason, isMarked: isMarked)
            case .wrapper: try place.remove()
            }
            return .removed
        } catch {
            // Without its folder, the wrapper is gone too.
            return error.pathProblem == .missing ? .nothing : .failed(error)
        }
    }
}
