import Foundation

/// A client that sends and reads raw bytes, for tests of servers.
public final class WireClient {
    /// How a connection ended, with the text before the end.
    public enum End: Equatable, Sendable {
        case closed(String)
        case reset(String)
    }

    private let socket: Socket
    private var unread: [UInt8] = []

    /// Connects to a port of the loopback interface; every read ends after a ``Patience``.
    public init(port: UInt16) throws {
        socket = try Socket.connected(port: port)
        socket.limitReads(seconds: 1)
    }

    deinit {
        socket.close()
    }

    /// Sends a request without a body.
    public func get(_ path: String, _ headers: String...) throws {
        let lines = ["GET \(path) HTTP/1.1", "Host: test"] + headers
        try send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    public func send(_ text: String) throws {
        guard socket.send(text.utf8) == text.utf8.count else { throw TestError("the server closed the connection") }
    }

    /// Whether unread bytes are available.
    public var hasInput: Bool {
        var poller = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        return !unread.isEmpty || poll(&poller, 1, 0) > 0
    }

    /// Reads exactly this many bytes.
    public func read(_ count: Int) throws -> String { String(decoding: try readBytes(count), as: UTF8.self) }

    /// Reads exactly this many bytes, which may be no text.
    public func readBytes(_ count: Int) throws -> [UInt8] {
        while unread.count < count { try fill() }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    /// Reads a response's status line and header block, including the empty line.
    public func readHead() throws -> String {
        while true {
            if let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) { return try read(end.upperBound) }
            try fill()
        }
    }

    /// Reads until the connection ends.
    public func readToEnd() throws -> End {
        while true {
            guard let bytes = receive() else {
                guard errno == ECONNRESET else { throw TestError("no end", detail: Descriptors.lastError) }
                return .reset(String(decoding: unread, as: UTF8.self))
            }
            if bytes.isEmpty { return .closed(String(decoding: unread, as: UTF8.self)) }
            unread += bytes
        }
    }

    /// Reads until the connection is closed, and returns the bytes.
    public func readBytesToEnd() throws -> [UInt8] {
        while let bytes = receive(), !bytes.isEmpty { unread += bytes }
        return unread
    }

    /// Available bytes; empty at the end of the stream, nil on an error, and with `EAGAIN` if nothing came.
    private func receive() -> [UInt8]? {
        let patience = Patience()
        while true {
            if let bytes = socket.receive() { return bytes }
            let number = errno
            if number == EAGAIN, !patience.isOver { continue }
            errno = number
            return nil
        }
    }

    private func fill() throws {
        guard let bytes = receive() else { throw TestError("nothing came", detail: Descriptors.lastError) }
        guard !bytes.isEmpty else {
            throw TestError("the connection ended early", detail: String(decoding: unread, as: UTF8.self))
        }
        unread += bytes
    }
}
