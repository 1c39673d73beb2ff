import BellerophonBase
import Foundation

/// Why a profile was not read, installed or removed, with the exit code of a command.
package struct GuardInstallError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds, with exit codes of `sysexits.h`.
    package enum Kind: Int32, Sendable {
        /// The name, the profile, or the owner or permissions of a file are not accepted.
        case configuration = 64
        /// The status of the profile can't be read.
        case unavailable = 69
        /// A file is in the way, was changed by someone, or can't be written.
        case cantCreate = 73
        /// A file can't be read, for another reason than permissions.
        case ioError = 74
        /// Another install or uninstall has not finished.
        case temporary = 75
        /// Another user, usually root, must do this.
        case notPermitted = 77
    }

    package let kind: Kind
    /// One line for each problem.
    package let problems: [String]

    init(_ kind: Kind, _ problem: String) {
        self.init(kind, problems: [problem])
    }

    init(_ kind: Kind, problems: [String]) {
        self.kind = kind
        self.problems = problems
    }

    init(_ error: ConfigurationError) {
        kind = .configuration
        problems = error.problems.map { "\(error.origin): \($0)" }
    }

    /// - Parameter hint: what to do about a missing file.
    init(_ error: TrustError, ifMissing hint: String? = nil) {
        var kind = Kind.configuration
        if case .system = error.problem { kind = error.isPermission ? .notPermitted : .ioError }
        self.kind = kind
        let text = error.problem == .missing ? hint.map { "\(error); \($0)" } : nil
        problems = [text ?? error.description]
    }

    init(_ error: FileError) {
        kind = error.code == EACCES || error.code == EPERM ? .notPermitted : .cantCreate
        problems = [error.description]
    }

    package var exitCode: Int32 { kind.rawValue }

    package var description: String { problems.joined(separator: "\n") }
}
