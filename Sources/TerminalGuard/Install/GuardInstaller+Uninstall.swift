import BellerophonBase

extension GuardInstaller {
    /// The result of an uninstall.
    package struct Removal: Equatable, Sendable {
        /// The wrappers that were removed; empty if the profile was not installed.
        package let removed: [AbsolutePath]
        /// Facts that the administrator should know although the command succeeded, one line each.
        package let notes: [String]
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
        let outcome = try remove(places, of: name, known: known)
        if !known.isEmpty { try record(outcome.left.map(\.path), of: name) }
        guard outcome.left.isEmpty else {
            throw GuardInstallError(
                .cantCreate,
                problems: outcome.left.map { "\($0.path) \($0.reason); it was left as it is. Remove it by hand" })
        }
        return Removal(removed: outcome.removed, notes: notes + outcome.notes)
    }

    private struct Outcome {
        var removed: [AbsolutePath] = []
        /// Recorded places with something that `install` did not write, and why.
        var left: [(path: AbsolutePath, reason: String)] = []
        var notes: [String] = []
    }

    private func remove(
        _ places: [AbsolutePath], of name: GuardProfileName, known: [AbsolutePath]
    ) throws(GuardInstallError) -> Outcome {
        var outcome = Outcome()
        for path in places {
            switch try removal(of: name, at: path) {
            case .nothing: break
            case .removed: outcome.removed.append(path)
            case .foreign(let reason, let isMarked):
                if isMarked || known.contains(path) {
                    outcome.left.append((path, reason))
                } else {
                    outcome.notes.append("\(path) \(reason); it was left as it is")
                }
            }
        }
        return outcome
    }

    /// Removes the wrappers that a profile has at places it no longer names. Those that can't be removed stay recorded.
    /// - Returns: a note for each place.
    func removeFormer(
        _ places: [AbsolutePath], keeping wrapper: AbsolutePath, of name: GuardProfileName
    ) throws(GuardInstallError) -> [String] {
        guard !places.isEmpty else { return [] }
        var (left, notes) = ([AbsolutePath](), [String]())
        for path in places {
            do throws(GuardInstallError) {
                switch try removal(of: name, at: path) {
                case .nothing: continue
                case .removed: notes.append("removed the former wrapper \(path)")
                case .foreign(let reason, _):
                    notes.append("the former wrapper \(path) \(reason); it was left as it is")
                    left.append(path)
                }
            } catch {
                notes.append("the former wrapper \(path) was not removed: \(error)")
                left.append(path)
            }
        }
        try record(left + [wrapper], of: name)
        return notes
    }

    private enum PlaceRemoval {
        /// There is no wrapper of this profile.
        case nothing
        case removed
        /// The reason completes "PATH …"; a marked file says that it is a wrapper of this profile.
        case foreign(reason: String, isMarked: Bool)
    }

    private func removal(of name: GuardProfileName, at path: AbsolutePath) throws(GuardInstallError) -> PlaceRemoval {
        let file: WrapperFile
        do throws(TrustError) {
            file = try WrapperFile(path, in: folder)
        } catch {
            // Without its folder, the wrapper is gone too.
            if error.problem == .missing { return .nothing }
            throw GuardInstallError(error)
        }
        switch try content(of: file) {
        case .nothing: return .nothing
        case .wrapper(let wrapper, _) where wrapper.profile != name: return .nothing
        case .wrapper: break
        case .foreign(let reason, let mark): return .foreign(reason: reason, isMarked: mark?.profile == name)
        }
        do throws(FileError) {
            try file.remove()
        } catch {
            throw GuardInstallError(error)
        }
        return .removed
    }
}
