import Foundation
import SafeText

/// Why a file or a folder is not trusted, and how an administrator can correct it.
package struct TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Problem: Equatable, Sendable {
        case missing
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
    }

    package let path: String
    package let problem: Problem

    init(_ path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// Whether another user, usually root, would be permitted to do this.
    package var isPermission: Bool { problem == .system(EACCES) || problem == .system(EPERM) }

    /// One line that is safe to print.
    package var description: String {
        let path = TextSanitizer.sanitize(path, keepingNewlines: false, limit: TextSanitizer.byteLimit)
        return switch problem {
        case .missing: "\(path) does not exist"
        case .notFolder: "\(path) is not a folder"
        case .notFile(let kind): "\(path) is \(kind), expected a regular file"
        case .link: "\(path) is a symbolic link, which is not followed here; put a regular file in its place"
        case .tooManyLinks: "\(path) leads through too many symbolic links"
        case .owner(let found, let expected):
            "\(path) belongs to \(Self.user(found)), expected \(Self.user(expected)); "
                + "review it, then run: chown \(expected == 0 ? "root" : String(expected)) '\(path)'"
        case .writable(let mode, let refused):
            "\(path) can be changed by \(mode & refused & 0o002 != 0 ? "every user" : "its group") (mode \(Self.octal(mode))); "
                + "review it, then run: chmod \(refused & 0o020 != 0 ? "go-w" : "o-w") '\(path)'"
        case .notExecutable: "\(path) is not executable"
        case .tooLarge(let limit): "\(path) has more than \(limit) bytes"
        case .system(let code): "\(path) can't be read: \(String(cString: strerror(code)))"
        }
    }

    static func user(_ id: uid_t) -> String { id == 0 ? "root" : "user \(id)" }

    static func octal(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
