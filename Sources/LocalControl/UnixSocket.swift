import BellerophonBase
import Foundation

/// The process at the other end of a connection, as the system knows it.
package struct SocketPeer: Equatable, Sendable {
    /// The process's user: of a client when it connected, of a server when it began to listen.
    package let user: uid_t
    /// The process; 0 if this process can't see it, as one outside of a container, or if the system does not tell.
    package let process: pid_t

    package init(user: uid_t, process: pid_t) {
        self.user = user
        self.process = process
    }
}

/// Calls on Unix domain sockets.
package enum UnixSocket {
    /// The maximum bytes of a socket's path.
    package static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Whether the process that created the socket has ended, so that connections are refused.
    package static func isAbandoned(_ path: String) -> Bool {
        guard let made = try? make(path), isSocket(path) else { return false }
        // A stopped program accepts no connections: once its queue is full, a blocking connect would wait for it.
        setNonBlocking(made)
        return call(path, { connect(made.number, $0, $1) }) != 0 && errno == ECONNREFUSED
    }

    /// A non-blocking listening socket, for its owner only.
    ///
    /// It is renamed to its path only once it listens, because a socket that does not listen counts as abandoned.
    package static func listening(at path: String) throws(SocketError) -> Descriptor {
        let unnamed = path + "~"
        let made = try make(unnamed)
        unlink(unnamed)
        guard call(unnamed, { bind(made.number, $0, $1) }) == 0 else { throw .call(path: path, reason: lastError) }
        guard chmod(unnamed, 0o600) == 0, listen(made.number, 8) == 0, rename(unnamed, path) == 0 else {
            let reason = lastError
            unlink(unnamed)
            throw .call(path: path, reason: reason)
        }
        setNonBlocking(made)
        return made
    }

    /// A connection to a program of the same user.
    /// - Parameter limit: the limit for connecting, and for each read and write, at least a microsecond.
    package static func connected(to path: String, limit: Duration) throws(SocketError) -> Descriptor {
        let made = try make(path)
        var time = timeval()
        time.tv_sec = time_t(limit.components.seconds)
        time.tv_usec = suseconds_t(limit.components.attoseconds / 1_000_000_000_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(made.number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard call(path, { connect(made.number, $0, $1) }) == 0 else {
            throw errno == EAGAIN ? .noAnswer(path: path) : .call(path: path, reason: lastError)
        }
        guard peer(of: made)?.user == geteuid() else { throw .foreignPeer(path: path) }
        return made
    }

    /// The process at the other end; nil if the system can't determine it.
    package static func peer(of descriptor: Descriptor) -> SocketPeer? { PlatformSocket.peer(of: descriptor.number) }

    /// What has become of the start of a connection.
    enum Start {
        case connected(Descriptor)
        /// The program accepts no connection now. It is stopped, or too many wait.
        case busy
        /// The program has ended, or can't be reached.
        case gone
    }

    /// Starts a non-blocking connection to a program of any user.
    static func start(to path: String) -> Start {
        guard let made = try? make(path) else { return .gone }
        setNonBlocking(made)
        if call(path, { connect(made.number, $0, $1) }) == 0 { return .connected(made) }
        return errno == EAGAIN ? .busy : .gone
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
    package static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Descriptor) -> Int? {
        let count = bytes.withUnsafeBytes { buffer in
            Foundation.send(descriptor.number, buffer.baseAddress, buffer.count, PlatformSocket.sendFlags)
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : nil
    }

    package enum Received: Equatable {
        case bytes([UInt8])
        case nothingYet
        case end
    }

    package static func receive(from descriptor: Descriptor) -> Received {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor.number, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .nothingYet : .end
    }

    static var lastError: String { String(cString: strerror(errno)).lowercased() }

    // MARK: Helpers

    static func isSocket(_ path: String) -> Bool {
        FileFacts(path: path, followsLinks: false)?.isKind(S_IFSOCK) ?? false
    }

    private static func make(_ path: String) throws(SocketError) -> Descriptor {
        guard path.utf8.count <= pathLimit else { throw .pathTooLong(path: path, limit: pathLimit) }
        let number = socket(AF_UNIX, PlatformSocket.stream, 0)
        guard number >= 0 else { throw .call(path: path, reason: lastError) }
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
