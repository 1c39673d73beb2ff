import Foundation

/// A file descriptor that is closed with the last reference to it.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }
}

/// Calls on Unix domain sockets.
enum UnixSocket {
    /// The maximum bytes of a socket's path.
    static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Whether the process that created the socket has ended, so that connections are refused.
    static func isAbandoned(_ path: String) -> Bool {
        guard let made = try? make(path), isSocket(path) else { return false }
        // A stopped program accepts no connections: once its queue is full, a blocking connect would wait for it.
        setNonBlocking(made)
        return call(path, { connect(made.number, $0, $1) }) != 0 && errno == ECONNREFUSED
    }

    /// A non-blocking listening socket, for its owner only.
    ///
    /// It is renamed to its path only once it listens, because a socket that does not listen counts as abandoned.
    static func listening(at path: String) throws(ControlError) -> Descriptor {
        let unnamed = path + "~"
        let made = try make(unnamed)
        unlink(unnamed)
        guard call(unnamed, { bind(made.number, $0, $1) }) == 0 else { throw .socket(path: path, reason: lastError) }
        guard chmod(unnamed, 0o600) == 0, listen(made.number, 8) == 0, rename(unnamed, path) == 0 else {
            let reason = lastError
            unlink(unnamed)
            throw .socket(path: path, reason: reason)
        }
        setNonBlocking(made)
        return made
    }

    /// A connection to a program of the same user.
    /// - Parameter limit: the limit in seconds for connecting, and for each read and write.
    static func connected(to path: String, limit: Int) throws(ControlError) -> Descriptor {
        let made = try make(path)
        var time = timeval()
        time.tv_sec = limit
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(made.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard call(path, { connect(made.number, $0, $1) }) == 0 else {
            throw errno == EAGAIN ? .noAnswer(path: path) : .socket(path: path, reason: lastError)
        }
        guard PlatformSocket.peerUser(of: made.number) == geteuid() else { throw .foreignPeer(path: path) }
        return made
    }

    /// The next connection to a listening socket; nil if there is none, or it was closed before it was accepted.
    static func accepted(from listener: Descriptor) -> Descriptor? {
        let number = accept(listener.number, nil, nil)
        guard number >= 0 else { return nil }
        let connection = Descriptor(number)
        prepare(connection)
        setNonBlocking(connection)
        return connection
    }

    /// - Returns: the number of bytes written, 0 if none could be written yet; nil if the connection failed.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Descriptor) -> Int? {
        let count = bytes.withUnsafeBytes { buffer in
            Foundation.send(descriptor.number, buffer.baseAddress, buffer.count, PlatformSocket.sendFlags)
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : nil
    }

    enum Received: Equatable {
        case bytes([UInt8])
        case nothingYet
        case end
    }

    static func receive(from descriptor: Descriptor) -> Received {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor.number, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .nothingYet : .end
    }

    static var lastError: String { String(cString: strerror(errno)).lowercased() }

    // MARK: Helpers

    static func isSocket(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    private static func make(_ path: String) throws(ControlError) -> Descriptor {
        guard path.utf8.count <= pathLimit else { throw .pathTooLong(path: path, limit: pathLimit) }
        let number = socket(AF_UNIX, PlatformSocket.stream, 0)
        guard number >= 0 else { throw .socket(path: path, reason: lastError) }
        let made = Descriptor(number)
        prepare(made)
        return made
    }

    private static func prepare(_ descriptor: Descriptor) {
        _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
        PlatformSocket.preventSignalOnBrokenPipe(descriptor.number)
    }

    private static func setNonBlocking(_ descriptor: Descriptor) {
        _ = fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_NONBLOCK)
    }

    private static func call(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(pathLimit)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
