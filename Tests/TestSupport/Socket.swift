import BellerophonBase
import Foundation

/// A TCP socket on the loopback interface. Its creator must close it exactly once.
struct Socket: Hashable, Sendable {
    let descriptor: Int32

    /// A socket that is bound to a port and does not listen: connections to it are refused.
    /// - Parameter port: zero for any free port.
    static func bound(port: UInt16) throws -> Socket {
        let descriptor = try Descriptors.make { socket(AF_INET, Platform.stream, 0) }
        let made = Socket(descriptor: descriptor)
        made.set(SO_REUSEADDR, to: Int32(1))
        try made.address(port, "bind") { bind(descriptor, $0, $1) }
        return made
    }

    /// A connection to a port.
    static func connected(port: UInt16) throws -> Socket {
        let descriptor = try Descriptors.make { socket(AF_INET, Platform.stream, 0) }
        let made = Socket(descriptor: descriptor)
        Platform.preventSignalOnBrokenPipe(descriptor)
        try made.address(port, "connect to") { connect(descriptor, $0, $1) }
        return made
    }

    /// Makes a call with a loopback address; closes the socket if it fails.
    private func address(
        _ port: UInt16, _ verb: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result != 0 else { return }
        let failure = TestError("cannot \(verb) port \(port)", detail: Descriptors.lastError)
        close()
        throw failure
    }

    /// Sets a time limit for each read.
    func limitReads(seconds: Int) {
        set(SO_RCVTIMEO, to: timeval(tv_sec: seconds, tv_usec: 0))
    }

    /// The port that the socket is bound to.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    func listen() throws {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        guard Foundation.listen(descriptor, 128) == 0 else {
            throw TestError("cannot listen on port \(port)", detail: Descriptors.lastError)
        }
    }

    /// Accepts a pending connection; nil if there is none.
    func accept() -> Socket? {
        guard let peer = try? Descriptors.make({ Foundation.accept(descriptor, nil, nil) }) else { return nil }
        let flags = fcntl(peer, F_GETFL)
        _ = fcntl(peer, F_SETFL, flags & ~O_NONBLOCK)
        let connection = Socket(descriptor: peer)
        connection.set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: Int32(1))
        Platform.preventSignalOnBrokenPipe(peer)
        return connection
    }

    /// Reads available bytes; empty at the end of the stream, nil on an error.
    func receive(atMost count: Int = 16384) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let got = recv(descriptor, &buffer, count, 0)
            if got >= 0 { return Array(buffer[..<got]) }
            guard errno == EINTR else { return nil }
        }
    }

    /// Sends bytes and returns how many were sent: fewer than all if the peer is gone.
    func send(_ bytes: some Sequence<UInt8>) -> Int {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Platform.sendFlags)
            }
            if count > 0 { sent += count } else if errno != EINTR { break }
        }
        return sent
    }

    /// Waits for the span, or returns early when the peer closes or ``shutDown()`` is called.
    /// - Parameter span: nil waits without limit.
    /// - Returns: false if the connection is over.
    func stayOpen(for span: Duration?) -> Bool {
        let end = span.map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { return true }
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let wait = left.map { Int32(min(max($0.inSeconds * 1000, 1), 1000)) } ?? 1000
            guard poll(&poller, 1, wait) > 0 else { continue }
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0 else { return false }
            usleep(2000)  // A pipelined request keeps the socket readable.
        }
    }

    /// Shuts down both directions and wakes every thread that waits on the socket.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    /// Closes with a reset instead of an orderly end.
    func reset() {
        set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
        close()
    }

    private func set(_ option: Int32, of level: Int32 = SOL_SOCKET, to value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) {
            _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
    }
}
