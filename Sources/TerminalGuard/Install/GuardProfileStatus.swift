import BellerophonBase
import Foundation

/// The state of one profile and its wrapper.
package struct GuardProfileStatus: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case installed
        case notInstalled
        /// The wrapper is not what `install` would write now; the text says how it differs.
        case outdated(String)
        /// The file at the wrapper's place was not written by `install`, or was changed since; the text says how.
        case changed(String)
        /// A shell finds another program first; nil if it finds no program of this name.
        case shadowed(by: String?)
        /// The wrapper runs the program without the guard, because this executable is missing.
        case unguarded(missing: String)
        /// The profile is not accepted, for this reason.
        case refused(String)
    }

    /// The name of the file in `guard.d` without `.json`; it need not be a valid name of a profile.
    package let name: String
    /// Nil if the profile is not accepted.
    package let program: String?
    /// Nil if the profile is not accepted and no install is recorded.
    package let wrapper: String?
    package let state: State

    /// Whether an administrator has to do something.
    package var needsAttention: Bool { state != .installed && state != .notInstalled }
}

extension GuardProfileStatus.State {
    /// The name in JSON.
    package var name: String {
        switch self {
        case .installed: "installed"
        case .notInstalled: "notInstalled"
        case .outdated: "outdated"
        case .changed: "changed"
        case .shadowed: "shadowed"
        case .unguarded: "unguarded"
        case .refused: "refused"
        }
    }

    /// What the name does not say; nil if there is nothing more.
    package var reason: String? {
        switch self {
        case .installed, .notInstalled: nil
        case .outdated(let reason), .changed(let reason), .refused(let reason): reason
        case .shadowed(by: let path?): "\(path) comes first on PATH"
        case .shadowed(by: nil): "the wrapper's folder is not on PATH"
        case .unguarded(let path): "the program runs without the guard, because \(path) is missing"
        }
    }
}

extension GuardInstaller {
    /// The state of every profile in the folder, and of every recorded install whose profile was deleted, by name.
    /// - Parameter searchPath: the value of PATH that decides whether a shell finds the wrapper.
    package func status(searchPath: String) throws(GuardInstallError) -> [GuardProfileStatus] {
        let names = Set(try folder.fileNames()).union(records.names().map(\.text))
        return names.sorted().map { status(of: $0, SearchPath(searchPath)) }
    }

    private func status(of text: String, _ searchPath: SearchPath) -> GuardProfileStatus {
        let name: GuardProfileName
        do throws(GuardInstallError) {
            name = try GuardProfileName(validating: text)
        } catch {
            return GuardProfileStatus(name: text, program: nil, wrapper: nil, state: .refused(error.description))
        }
        let known = (try? records.wrappers(of: name)) ?? []
        do throws(GuardInstallError) {
            let profile = try folder.load(name, checking: check).profile
            let state: GuardProfileStatus.State
            do throws(GuardInstallError) {
                _ = try GuardedProgramFile(profile.program, in: folder)
                state = try self.state(of: profile, known: known, searchPath)
            } catch {
                state = .refused(error.description)
            }
            return GuardProfileStatus(name: text, program: profile.program.text, wrapper: profile.wrapper.text, state: state)
        } catch {
            let advice = known.isEmpty ? "" : "; to remove the wrapper, run: bellerophon guard uninstall \(name)"
            return GuardProfileStatus(
                name: text, program: nil, wrapper: known.last?.text, state: .refused(error.description + advice))
        }
    }

    private func state(
        of profile: GuardProfile, known: [AbsolutePath], _ searchPath: SearchPath
    ) throws(GuardInstallError) -> GuardProfileStatus.State {
        switch try content(of: wrapperFile(profile.wrapper)) {
        case .nothing:
            let former = known.first { $0 != profile.wrapper }
            return former.map { .outdated("the wrapper is still at \($0)") } ?? .notInstalled
        case .foreign(let reason, _): return .changed("\(profile.wrapper) \(reason)")
        case .wrapper(let wrapper, _) where wrapper.profile != profile.name:
            return .changed("\(profile.wrapper) is the wrapper of the profile \(wrapper.profile)")
        case .wrapper(_, .some(let defect)): return .outdated("\(profile.wrapper) \(defect)")
        case .wrapper(let wrapper, nil) where wrapper.program != profile.program:
            return .outdated("the wrapper starts \(wrapper.program)")
        case .wrapper(let wrapper, nil):
            guard access(wrapper.bellerophon.text, X_OK) == 0 else { return .unguarded(missing: wrapper.bellerophon.text) }
            try checkBellerophon(wrapper.bellerophon)
            switch searchPath.find(profile.wrapper) {
            case .wrapper: return .installed
            case .other(let path): return .shadowed(by: path)
            case .nothing: return .shadowed(by: nil)
            }
        }
    }
}
