import BellerophonBase
import BellerophonStore
import Foundation
import Synchronization

/// The lock of a store's only server. The system releases it when the process ends for any reason.
///
/// The file contains the server's process identifier and the outcome of its last reload or restart, for commands to
/// read.
package final class ServerLock: Sendable {
    /// The file's content about the server that holds the lock.
    package struct Mark: Codable, Sendable {
        package var process = getpid()
        /// The number of outcomes written to the file so far, by any process.
        var outcomes = 0
        /// Nil before the first one.
        var outcome: Outcome?
    }

    /// A command's request to a running server.
    package enum Request: String, Codable, Sendable {
        case reload, restart
    }

    /// The outcome of a reload or a restart.
    package struct Outcome: Codable, Equatable, Sendable {
        let request: Request
        package let isSuccess: Bool
        /// A single line.
        package let text: String
    }

    /// The descriptor, nil once the lock is released; and whether another process may hold the same lock on purpose: the one that
    /// handed it on, or one that inherits it.
    private let state: Mutex<(descriptor: Descriptor?, isShared: Bool)>
    /// Whether the server that started this process has the same store.
    let isInherited: Bool

    static let fileName = "server.lock"
    /// The maximum size of an outcome's text, in bytes.
    private static let textLimit = 2000

    /// Acquires the lock for this process.
    /// - Throws: ``ServerError``; of kind `temporary`, with the other server's process, if another server holds the
    ///   lock.
    package convenience init(folder: URL) throws(ServerError) {
        let path = Self.path(folder)
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw ServerError(errno: errno, "can't write in the store \(folder.path)", hint: "check who owns it, and the disk")
        }
        guard Self.lock(number) else {
            let owner = Self.read(number).map { " (process \($0.process))" } ?? ""
            close(number)
            throw ServerError(
                "the store \(folder.path) is locked by another server\(owner)",
                hint: "stop that one, or choose another folder with --store", kind: .temporary
            )
        }
        self.init(locked: Descriptor(number), isInherited: false)
        markProcess()
    }

    /// Inherits the lock of the server that started this process, so that no other process can acquire it in between.
    /// The file contains this process only after ``markProcess()``.
    /// - Parameter inherited: the lock's descriptor; the object closes it.
    /// - Returns: nil if the descriptor is not the lock of this store.
    package convenience init?(inherited: Int32, folder: URL) {
        guard let held = FileFacts(descriptor: inherited), let file = FileFacts(path: Self.path(folder)),
            held.isSameFile(as: file), FileLock.lock(inherited)
        else { return nil }
        _ = fcntl(inherited, F_SETFD, FD_CLOEXEC)
        self.init(locked: Descriptor(inherited), isInherited: true)
    }

    private init(locked descriptor: Descriptor, isInherited: Bool) {
        self.isInherited = isInherited
        state = Mutex((descriptor, isInherited))
    }

    deinit { giveUp() }

    /// Closes this process's descriptor of the lock. A process that has inherited the lock keeps it.
    package func giveUp() {
        state.withLock { state in
            // A child process of this one has a copy of the descriptor until it executes its program.
            if let descriptor = state.descriptor, !state.isShared { FileLock.unlock(descriptor.number) }
            state.descriptor = nil
        }
    }

    /// Writes this process's identifier to the file.
    package func markProcess() { write { _ in } }

    /// Reports an outcome to the command that requested the reload or restart.
    package func report(_ request: Request, isSuccess: Bool, _ text: String) {
        // It is shown as one line, and fits into what a command reads.
        let line = String(decoding: text.replacing("\n", with: "; ").utf8.prefix(Self.textLimit), as: UTF8.self)
        write { mark in
            mark.outcomes += 1
            mark.outcome = Outcome(request: request, isSuccess: isSuccess, text: line)
        }
    }

    private func write(_ change: (inout Mark) -> Void) {
        state.withLock { state in
            guard let descriptor = state.descriptor?.number else { return }
            var mark = Self.read(descriptor) ?? Mark()
            mark.process = getpid()
            change(&mark)
            guard let json = try? StoreJSON.data(mark) else { return }
            let bytes = json + Data("\n".utf8)
            // What is left of a longer older text is removed after the write; commands read the first line only.
            guard bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count else { return }
            _ = ftruncate(descriptor, off_t(bytes.count))
        }
    }

    /// Another descriptor of the lock, at least 64, which the caller must close; nil if none is available.
    func duplicate() -> Int32? {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return nil }
            let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { return nil }
            state.isShared = true
            return copy
        }
    }

    /// Whether a server runs on a store.
    /// - Parameter folder: the store's folder.
    package static func isHeld(_ folder: URL) -> Bool {
        guard let file = try? OpenFile(path(folder)) else { return false }
        return !FileLock.lock(file.descriptor.number, .shared) && errno == EWOULDBLOCK
    }

    /// The file's content; nil if no server runs on the store, or the server has not written it yet.
    package static func mark(_ folder: URL) -> Mark? {
        guard isHeld(folder), let file = try? OpenFile(path(folder)) else { return nil }
        return read(file.descriptor.number)
    }

    static func path(_ folder: URL) -> String { folder.appendingPathComponent(fileName).path }

    /// Retries for 100 ms: a command that only tests the lock holds it for a moment.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<10 {
            if FileLock.lock(descriptor) { return true }
            usleep(10_000)
        }
        return false
    }

    private static func read(_ descriptor: Int32) -> Mark? {
        // In JSON a byte of the text takes at most six.
        var bytes = [UInt8](repeating: 0, count: 1024 + 6 * textLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard let line = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n")).first else { return nil }
        return try? StoreJSON.value(Mark.self, from: Data(line))
    }
}
