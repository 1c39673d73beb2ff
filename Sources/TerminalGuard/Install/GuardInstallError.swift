import BellerophonBase
import Foundation
import SafeText

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
    /// What is wrong with a path, if that is the reason.
    let pathProblem: PathProblem?

    init(_ kind: Kind, _ problem: String) { self.init(kind, problems: [problem]) }

    init(_ kind: Kind, problems: [String]) {
        (self.kind, self.problems, pathProblem) = (kind, problems, nil)
    }

    init(_ error: ConfigurationError) {
        self.init(.configuration, problems: error.problems.map { "\(error.origin): \($0)" })
    }

    init(_ error: FileError) {
        self.init(error.code == EACCES || error.code == EPERM ? .notPermitted : .cantCreate, error.description)
    }

    /// - Parameter hint: what to do about a missing file.
    init(_ path: String, _ problem: PathProblem, ifMissing hint: String? = nil) {
        kind =
            switch problem {
            case .system(EACCES), .system(EPERM): .notPermitted
            case .system: .ioError
            default: .configuration
            }
        let text = problem.text(of: TextSanitizer.sanitize(path, keepingNewlines: false, limit: TextSanitizer.byteLimit))
        problems = [problem == .missing ? hint.map { "\(text); \($0)" } ?? text : text]
        pathProblem = problem
    }

    package var exitCode: Int32 { kind.rawValue }

    package var description: String { problems.joined(separator: "\n") }
}

/// Why a file or a folder is not accepted.
enum PathProblem: Equatable, Sendable {
    case missing
    /// The owner or the permissions of a folder that belongs to the machine and not to the guard, on the way to a target.
    /// - canMove: whether the target may be in another folder.
    indirect case onTheWay(PathProblem, target: String, canMove: Bool)
    case notFolder
    /// It is not a regular file; the text says what it is.
    case notFile(String)
    /// A symbolic link where none is allowed.
    case link
    /// More symbolic links follow each other than are followed.
    case tooManyLinks
    case owner(found: uid_t, expected: uid_t)
    /// The group or all users may write.
    case writable(mode: mode_t, refused: mode_t)
    case notExecutable
    /// More bytes than are read.
    case tooLarge(limit: Int)
    /// A system call failed, with this value of `errno`.
    case system(Int32)

    /// One line about a path, with what an administrator can do about it.
    fileprivate func text(of path: String) -> String {
        switch self {
        case .missing: "\(path) does not exist"
        case .onTheWay(let problem, let target, let canMove):
            problem.fact(of: path) + ", so \(TextSanitizer.sanitize(target, keepingNewlines: false)) could be exchanged; "
                + (canMove
                    ? "put it into a folder that only root can change, such as /usr/local/lib, and name it there"
                    : "who administers this machine must decide about that folder")
        case .notFolder: "\(path) is not a folder"
        case .notFile(let kind): "\(path) is \(kind), expected a regular file"
        case .link: "\(path) is a symbolic link, which is not followed here; put a regular file in its place"
        case .tooManyLinks: "\(path) leads through too many symbolic links"
        case .owner(_, let expected):
            fact(of: path) + "; review it, then run: chown \(expected == 0 ? "root" : String(expected)) '\(path)'"
        case .writable(_, let refused):
            fact(of: path) + "; review it, then run: chmod \(refused & 0o020 != 0 ? "go-w" : "o-w") '\(path)'"
        case .notExecutable: "\(path) is not executable"
        case .tooLarge(let limit): "\(path) has more than \(limit) bytes"
        case .system(let code): "\(path) can't be read: \(String(cString: strerror(code)))"
        }
    }

    /// What is the case with the owner or the permissions of a path.
    private func fact(of path: String) -> String {
        switch self {
        case .owner(let found, let expected): "\(path) belongs to \(Self.user(found)), expected \(Self.user(expected))"
        case .writable(let mode, let refused):
            "\(path) can be changed by \(mode & refused & 0o002 != 0 ? "every user" : "its group") (mode \(Self.octal(mode)))"
        default: text(of: path)
        }
    }

    static func user(_ id: uid_t) -> String { id == 0 ? "root" : "user \(id)" }

    static func octal(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
