#if Server
import BellerophonBase
import Foundation
import Synchronization

/// A store's mark that a server runs on it; it ends with the process, whatever ends that.
///
/// The file says which process that is, and how its last reload or restart went: a command reads both.
package final class ServerLock: Sendable {
    /// What the file says of the server that holds the lock.
    package struct Mark: Equatable, Sendable {
        package var process: pid_t
        /// How many outcomes were written to the file, whichever process wrote them.
        package var outcomes: Int
        package var outcome: Outcome
    }

    /// What a command can ask of a running server.
    package enum Request: String, Sendable {
        case reload, restart
    }

    /// How a reload or a restart went.
    package struct Outcome: Equatable, Sendable {
        /// Nil before the first one.
        package var request: Request?
        package var isSuccess: Bool
        /// On one line.
        package var text: String

        package init(of request: Request?, isSuccess: Bool, text: String) {
            self.request = request
            self.isSuccess = isSuccess
            self.text = text
        }
    }

    private struct State {
        /// Nil once the lock was given up.
        var descriptor: Int32?
        var mark: Mark
    }

    private let state: Mutex<State>

    static let fileName = "server.lock"
    /// Bytes of a mark's text.
    private static let textLimit = 2000

    /// Takes the lock for this process.
    /// - Throws: ``ServerError``: of kind `temporary`, with the other server's process, where one holds it.
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
        self.init(locked: descriptor)
        markProcess()
    }

    /// The lock of the server that started this one: nobody else can take it in between. The file names this process
    /// once ``markProcess()`` is called.
    /// - Parameter inherited: the lock's descriptor; the object closes it.
    /// - Returns: nil where it is the lock of another store, or none.
    package convenience init?(inherited: Int32, folder: URL) {
        guard let held = FileNumber(descriptor: inherited), held == FileNumber(path: Self.path(folder)),
            FileLock.lock(inherited)
        else { return nil }
        _ = fcntl(inherited, F_SETFD, FD_CLOEXEC)
        self.init(locked: inherited)
    }

    private init(locked descriptor: Int32) {
        let last = Self.read(descriptor)
        let outcome = last?.outcome ?? Outcome(of: nil, isSuccess: true, text: "")
        state = Mutex(
            State(descriptor: descriptor, mark: Mark(process: getpid(), outcomes: last?.outcomes ?? 0, outcome: outcome)))
    }

    deinit {
        giveUp()
    }

    /// Ends this process's part in the lock. Another process that has inherited it keeps it.
    package func giveUp() {
        state.withLock { state in
            if let descriptor = state.descriptor { close(descriptor) }
            state.descriptor = nil
        }
    }

    /// Names this process in the file.
    package func markProcess() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            state.mark.outcomes = max(state.mark.outcomes, Self.read(descriptor)?.outcomes ?? 0)
            Self.write(state.mark, descriptor)
        }
    }

    /// Tells the command that asked how its reload or restart went.
    package func report(_ outcome: Outcome) {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            state.mark.outcomes += 1
            state.mark.outcome = outcome
            Self.write(state.mark, descriptor)
        }
    }

    /// Another descriptor of the lock, at least 64, which is the caller's to close; nil where there is none to be had.
    func duplicate() -> Int32? {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return nil }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
            return copy < 0 ? nil : copy
        }
    }

    /// Whether a server runs on a store.
    /// - Parameter folder: the store's.
    package static func isHeld(_ folder: URL) -> Bool {
        let descriptor = open(path(folder), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return !FileLock.lock(descriptor, .shared) && errno == EWOULDBLOCK
    }

    /// What the file says; nil where no server runs on the store, or none that has written it.
    package static func mark(_ folder: URL) -> Mark? {
        guard isHeld(folder) else { return nil }
        let descriptor = open(path(folder), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor)
    }

    static func path(_ folder: URL) -> String { folder.appendingPathComponent(fileName).path }

    /// A command that only asks holds the lock for a moment; a server keeps it.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<10 {
            if FileLock.lock(descriptor) { return true }
            usleep(10_000)
        }
        return false
    }

    // MARK: The file

    /// Four lines: the process; how many outcomes there were; what the last one was of, and whether it was a success; its
    /// text. What an older text leaves behind them is cut off afterwards: a reader takes four lines at any moment.
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
#endif
