import BellerophonBase
import Foundation
import Synchronization

/// The lock of a store's only server. The system releases it when the process ends for any reason.
///
/// The file contains the server's process identifier and the outcome of its last reload or restart, for commands to
/// read.
package final class ServerLock: Sendable {
    /// The file's content about the server that holds the lock.
    package struct Mark: Equatable, Sendable {
        package var process: pid_t
        /// The number of outcomes written to the file so far, by any process.
        package var outcomes: Int
        package var outcome: Outcome
    }

    /// A command's request to a running server.
    package enum Request: String, Sendable {
        case reload, restart
    }

    /// The outcome of a reload or a restart.
    package struct Outcome: Equatable, Sendable {
        /// Nil before the first outcome.
        package var request: Request?
        package var isSuccess: Bool
        /// A single line.
        package var text: String

        package init(of request: Request?, isSuccess: Bool, text: String) {
            self.request = request
            self.isSuccess = isSuccess
            self.text = text
        }
    }

    private struct State {
        /// Nil once the lock is released.
        var descriptor: Int32?
        /// Whether another process may hold the same lock on purpose: the one that handed it on, or one that inherits it.
        var isShared: Bool
        var mark: Mark
    }

    private let state: Mutex<State>

    static let fileName = "server.lock"
    /// The maximum size of an outcome's text, in bytes.
    private static let textLimit = 2000

    /// Acquires the lock for this process.
    /// - Throws: ``ServerError``; of kind `temporary`, with the other server's process, if another server holds the
    ///   lock.
    package convenience init(folder: URL) throws(ServerError) {
        let path = Self.path(folder)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let number = errno
            throw ServerError(
                "can't write in the store \(folder.path): \(String(cString: strerror(number)))",
                hint: "check who owns it, and the disk", kind: .init(errno: number)
            )
        }
        guard Self.lock(descriptor) else {
            let owner = Self.read(descriptor).map { " (process \($0.process))" } ?? ""
            close(descriptor)
            throw ServerError(
                "the store \(folder.path) is locked by another server\(owner)",
                hint: "stop that one, or choose another folder with --store", kind: .temporary
            )
        }
        self.init(locked: descriptor, isShared: false)
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
        self.init(locked: inherited, isShared: true)
    }

    private init(locked descriptor: Int32, isShared: Bool) {
        let last = Self.read(descriptor)
        let outcome = last?.outcome ?? Outcome(of: nil, isSuccess: true, text: "")
        state = Mutex(
            State(
                descriptor: descriptor, isShared: isShared,
                mark: Mark(process: getpid(), outcomes: last?.outcomes ?? 0, outcome: outcome)))
    }

    deinit {
        giveUp()
    }

    /// Closes this process's descriptor of the lock. A process that has inherited the lock keeps it.
    package func giveUp() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            // A child process of this one has a copy of the descriptor until it executes its program.
            if !state.isShared { FileLock.unlock(descriptor) }
            close(descriptor)
            state.descriptor = nil
        }
    }

    /// Writes this process's identifier to the file.
    package func markProcess() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            state.mark.outcomes = max(state.mark.outcomes, Self.read(descriptor)?.outcomes ?? 0)
            Self.write(state.mark, descriptor)
        }
    }

    /// Reports an outcome to the command that requested the reload or restart.
    package func report(_ outcome: Outcome) {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            state.mark.outcomes += 1
            state.mark.outcome = outcome
            Self.write(state.mark, descriptor)
        }
    }

    /// Another descriptor of the lock, at least 64, which the caller must close; nil if none is available.
    func duplicate() -> Int32? {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return nil }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
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

    // MARK: The file

    /// Writes four lines: the process; the number of outcomes; the last outcome's request and success; its text. A
    /// longer older text is truncated after the write; readers only use the first four lines.
    private static func write(_ mark: Mark, _ descriptor: Int32) {
        let text = mark.outcome.text.replacingOccurrences(of: "\n", with: "; ")
        let word = "\(mark.outcome.request?.rawValue ?? "none") \(mark.outcome.isSuccess ? "ok" : "failed")"
        let shown = String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
        let lines = "\(mark.process)\n\(mark.outcomes)\n\(word)\n\(shown)\n"
        let bytes = Array(lines.utf8)
        guard bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count else { return }
        _ = ftruncate(descriptor, off_t(bytes.count))
    }

    private static func read(_ descriptor: Int32) -> Mark? {
        var bytes = [UInt8](repeating: 0, count: 2 * textLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = lines.first.flatMap({ pid_t($0) }), process > 0 else { return nil }
        let outcomes = lines.count > 1 ? Int(lines[1]) ?? 0 : 0
        let words = lines.count > 2 ? lines[2].split(separator: " ") : []
        let outcome = Outcome(
            of: words.first.flatMap { Request(rawValue: String($0)) }, isSuccess: words.last == "ok",
            text: lines.count > 3 ? String(lines[3]) : ""
        )
        return Mark(process: process, outcomes: outcomes, outcome: outcome)
    }
}
