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
