import Bellerophon
import BellerophonBase
import Foundation

/// A lock that lets one session at a time update a program: a file for each program in the user's state folder.
///
/// It is held by the process that runs the update, until it is released or the process has ended, also if it is killed. It is one
/// user's: two users are not kept apart.
package final class UpdateLock {
    package enum Attempt: Equatable, Sendable {
        case taken
        /// Another process updates the program. Its number is for display; nil if it is not known.
        case held(by: Int32?)
        /// There can be no lock, and the update goes on without one. The text is a sentence without its end.
        case unavailable(LocalizedText)
    }

    /// The file of the lock.
    package let path: String
    private let folder: URL
    private var lock: FileLock?

    /// - Parameters:
    ///   - file: the path of the program's file, without symbolic links.
    ///   - environment: `XDG_STATE_HOME` and `HOME` name the folder.
    package init(file: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        folder = UserFolder.state.url(environment).appendingPathComponent("bellerophon", isDirectory: true)
        path = folder.appendingPathComponent("update-\(file.fingerprint).lock").path
    }

    /// Takes the lock without waiting. It is taken already if this object holds it.
    package func tryLock() -> Attempt {
        guard lock == nil else { return .taken }
        do throws(FileError) {
            try FileCalls.makeFolder(folder)
            guard Self.isOwnFolder(folder.path) else {
                return .unavailable(.phrase(\.terminal.notOwnFolder, ["path": .foreign(folder.path)]))
            }
            guard let lock = try FileLock(path) else { return .held(by: holder) }
            self.lock = lock
            Self.write(getpid(), to: lock.descriptor)
            return .taken
        } catch {
            return .unavailable(.phrase(\.terminal.noLock, ["reason": .foreign("\(error.path): \(error.reason)")]))
        }
    }

    /// Releases the lock, if this object holds it.
    package func release() {
        if let lock { ftruncate(lock.descriptor, 0) }
        lock = nil
    }

    /// The process that the file names.
    private var holder: Int32? {
        guard let bytes = try? OpenFile(path, followsLinks: false).start(limit: 16) else { return nil }
        return Int32(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber }).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func isOwnFolder(_ path: String) -> Bool {
        FileFacts(path: path, followsLinks: false).map { $0.isKind(S_IFDIR) && $0.st_uid == geteuid() } ?? false
    }

    /// On a full disk the file stays empty, and the lock holds.
    private static func write(_ process: Int32, to descriptor: Int32) {
        let text = Array("\(process)\n".utf8)
        ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }
}
