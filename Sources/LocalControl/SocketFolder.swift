import BellerophonBase
import Foundation

/// A folder with the sockets of running programs, one each, named after the process id: `1234.sock`.
///
/// It belongs to one user, and nobody else may use it.
package struct SocketFolder: Equatable, Sendable {
    package let path: String
    /// The user to whom the folder must belong.
    package let owner: uid_t

    package init(path: String, owner: uid_t = geteuid()) {
        self.path = path
        self.owner = owner
    }

    /// A socket in the folder, and the id of the process that created it.
    package struct Entry: Equatable, Sendable {
        package let path: String
        package let pid: Int32
        /// The user of the folder, and therefore of the process.
        package let owner: uid_t

        package init(path: String, pid: Int32, owner: uid_t = geteuid()) {
            (self.path, self.pid, self.owner) = (path, pid, owner)
        }
    }

    /// Creates the folder for its owner only, and removes the sockets of ended programs.
    /// - Throws: if the folder can't be created, or other users have access to it.
    package func prepare() throws(SocketError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .folder(path: path, reason: "it can't be made")
        }
        if isOwn { chmod(path, 0o700) }
        guard isPrivate else { throw .folder(path: path, reason: "other users can use it, or it does not belong to you") }
        // A connection to each of a thousand running programs would wake all of them for every one that starts.
        removeAbandoned { Self.hasEnded($0.pid) }
    }

    /// The sockets of programs that may still run. A folder that other users have access to counts as empty.
    package func entries() -> [Entry] {
        guard isPrivate, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        return names.sorted().compactMap { name in
            guard name.hasSuffix(".sock"), let pid = Int32(name.prefix { $0.isASCII && $0.isNumber }) else { return nil }
            return Entry(path: "\(path)/\(name)", pid: pid, owner: owner)
        }
    }

    /// Removes the sockets that no program listens on.
    /// - Parameter isDoubtful: whether a socket is looked at. A look connects to it.
    package func removeAbandoned(where isDoubtful: (Entry) -> Bool = { _ in true }) {
        for entry in entries() where isDoubtful(entry) && UnixSocket.isAbandoned(entry.path) { unlink(entry.path) }
    }

    /// Whether no process has this number, or only this one. A program in another container may have it nevertheless.
    private static func hasEnded(_ pid: Int32) -> Bool {
        pid == getpid() || kill(pid, 0) != 0 && errno == ESRCH
    }

    /// A path that no running program uses: two programs in different containers may have the same process id.
    func freePath(pid: Int32) -> String {
        let names = ["\(pid).sock"] + (2...9).map { "\(pid)-\($0).sock" }
        return names.map { "\(path)/\($0)" }.first { !UnixSocket.isSocket($0) } ?? "\(path)/\(names[0])"
    }

    private var facts: FileFacts? { FileFacts(path: path, followsLinks: false) }

    /// Whether the path is a folder of this user, and not a symbolic link.
    private var isOwn: Bool {
        facts.map { $0.isKind(S_IFDIR) && $0.st_uid == owner } ?? false
    }

    private var isPrivate: Bool { isOwn && facts.map { $0.st_mode & 0o077 == 0 } ?? false }
}
