package import Foundation

/// Reads a file with a secret, such as a private key, if nobody else may read or change it.
package enum SecretFile {
    /// Whose group may read the file besides its owner.
    package enum Readers: Sendable {
        /// Nobody's, except that root's group may read root's file: so appear the credentials of systemd, which belong to root
        /// and which the service reads by an access list.
        case owner
        /// Any group that root has given a file of root's, such as `ssl-cert` on Debian.
        case groupOfRoot
    }

    /// Why the file is not read, without its path.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case notFile
        /// It belongs to neither this user nor root.
        case foreign(owner: UInt32)
        /// Others may read or change it.
        case exposed(mode: mode_t)
        case tooLarge(limit: Int)
        /// A system call failed, by the value of `errno`.
        case system(Int32)

        /// The problem with a way to fix it, as a part of a sentence.
        package var description: String {
            switch self {
            case .notFile: "it is not a regular file"
            case .foreign(let owner):
                "it belongs to another user (\(owner)), who could change it; make it this user's with chown, "
                    + "and use a new secret if that user must not know it"
            case .exposed(let mode):
                "users other than its owner can read or change it (mode \(String(mode, radix: 8))); run chmod 600 on it, "
                    + "and use a new secret if somebody may have read it"
            case .tooLarge(let limit): "it has more than \(limit) bytes"
            case .system(let number): String(cString: strerror(number))
            }
        }
    }

    /// Reads the whole file. A link is followed, and the file that it leads to is checked.
    /// - Parameter limit: the maximum number of bytes.
    package static func read(_ path: String, limit: Int, readers: Readers) throws(Problem) -> Data {
        let file = try OpenFile(path) { Problem.system($0.code) }
        try verify(file.facts, readers)
        let bytes = try file.start(limit: limit + 1) { Problem.system($0.code) }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return Data(bytes)
    }

    private static func verify(_ facts: stat, _ readers: Readers) throws(Problem) {
        guard facts.isRegularFile else { throw .notFile }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else { throw .foreign(owner: facts.st_uid) }
        var refused: mode_t = 0o077
        if facts.st_uid == 0, facts.st_gid == 0 || readers == .groupOfRoot { refused = 0o037 }
        guard facts.st_mode & refused == 0 else { throw .exposed(mode: facts.st_mode & 0o7777) }
    }
}
