import BellerophonBase
import Foundation
import NIOCore
import Synchronization

/// The listening socket, created here or inherited from the process that started this one.
///
/// Several processes can share the socket: closing this process's descriptor does not affect theirs, and unaccepted
/// connections wait for them.
package final class ListeningSocket: Sendable {
    package let address: SocketAddress
    /// Whether a supervisor created the socket and chose its address; `server.host` and `server.port` are then ignored.
    package let isActivated: Bool
    /// Nil once closed.
    private let descriptor: Mutex<Descriptor?>

    /// The length of the queue of unaccepted connections.
    private static let backlog: Int32 = 4096

    private init(_ descriptor: Descriptor, address: SocketAddress, isActivated: Bool) {
        self.descriptor = Mutex(descriptor)
        self.address = address
        self.isActivated = isActivated
    }

    /// Binds an address and listens. Connections are queued from now on.
    /// - Throws: `IOError`, or the error of the host's look-up.
    static func bound(to host: String, _ port: Int) throws -> ListeningSocket {
        let wanted = try SocketAddress.makeAddressResolvingHost(host, port: port)
        let descriptor = Descriptor(socket(wanted.protocol.rawValue, SocketPlatform.stream, 0))
        let number = descriptor.number
        try requireSuccess(number, "socket")
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        try share(number, wanted)
        try requireSuccess(wanted.withSockAddr { bind(number, $0, socklen_t($1)) }, "bind")
        try requireSuccess(listen(number, backlog), "listen")
        guard let address = Self.address(of: number) else { throw IOError(errnoCode: errno, reason: "getsockname") }
        return ListeningSocket(descriptor, address: address, isActivated: false)
    }

    /// Permits the port of a server that has just ended, and IPv4 connections to `::`.
    private static func share(_ descriptor: Int32, _ wanted: SocketAddress) throws {
        var (yes, no): (Int32, Int32) = (1, 0)
        let size = socklen_t(MemoryLayout<Int32>.size)
        try requireSuccess(setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size), "setsockopt")
        // `::` includes the IPv4 addresses where the system supports that.
        if wanted.protocol == .inet6 { _ = setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size) }
    }

    /// A socket that this process was started with; the object closes it.
    /// - Returns: nil if the descriptor is not a listening socket of TCP.
    convenience init?(inherited descriptor: Int32, isActivated: Bool) {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0,
            let address = Self.address(of: descriptor)
        else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(Descriptor(descriptor), address: address, isActivated: isActivated)
    }

    /// Another descriptor of the same socket, which the caller must close.
    /// - Parameter least: the lowest permitted number of the descriptor.
    func duplicate(atLeast least: Int32 = 0) throws -> Int32 {
        try descriptor.withLock { descriptor in
            guard let descriptor else { throw IOError(errnoCode: EBADF, reason: "dup") }
            let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, least)
            try Self.requireSuccess(copy, "dup")
            return copy
        }
    }

    /// Another descriptor, which does not block. Replies are small, and each is written at once: accepted connections inherit that
    /// their bytes are not held back (`TCP_NODELAY`).
    func duplicateForAccepting() throws -> Int32 {
        let copy = try duplicate()
        // The queue of a supervisor's socket may be shorter.
        _ = listen(copy, Self.backlog)
        _ = fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK)
        var yes: Int32 = 1
        _ = setsockopt(copy, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return copy
    }

    /// Closes the descriptor. If no other process has the socket, connections are refused from now on.
    package func close() { descriptor.withLock { $0 = nil } }

    /// Whether the socket has the configured address.
    package func isAt(_ host: String, _ port: Int) -> Bool {
        guard let wanted = try? SocketAddress.makeAddressResolvingHost(host, port: port) else { return false }
        return wanted.ipAddress == address.ipAddress && [0, address.port].contains(port)
    }

    /// Whether only programs on this machine can reach the socket.
    var isLoopback: Bool { AddressKey(address)?.isLoopback == true }

    private static func requireSuccess(_ result: Int32, _ call: String) throws {
        if result < 0 { throw IOError(errnoCode: errno, reason: call) }
    }

    /// Nil if the socket is of another kind than TCP.
    private static func address(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? SocketAddress(&storage) : nil
    }
}

extension SocketAddress {
    /// - Returns: nil if the address is neither of IPv4 nor of IPv6.
    init?(_ storage: inout sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET: self = withUnsafeBytes(of: &storage) { SocketAddress($0.load(as: sockaddr_in.self)) }
        case AF_INET6: self = withUnsafeBytes(of: &storage) { SocketAddress($0.load(as: sockaddr_in6.self)) }
        default: return nil
        }
    }
}

/// The socket that a supervisor passed to this process, as in `sd_listen_fds(3)`.
package enum SocketActivation {
    /// The variables of the protocol. They concern this process only and are removed from a successor's environment.
    static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]

    /// - Returns: nil if no socket was passed.
    /// - Throws: ``ServerError`` if there are several sockets, or the socket does not listen.
    package static func socket(_ environment: [String: String]) throws(ServerError) -> ListeningSocket? {
        guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
        else {
            return nil
        }
        guard count == 1, let socket = ListeningSocket(inherited: 3, isActivated: true) else {
            let problem = count == 1 ? "a socket that takes no connections at a port" : "\(count) sockets"
            throw ServerError(
                "the supervisor handed over \(problem)",
                hint: "the socket unit must have one ListenStream= line with a port, and Accept=no"
            )
        }
        return socket
    }
}
