import Dispatch
import Foundation

/// Notifies the service manager of the server's state, as in `sd_notify(3)`. Without a manager it does nothing.
package struct ServiceNotifier: Sendable {
    package struct State: Sendable {
        fileprivate let text: String

        /// The server accepts connections, after its start, a reload or a restart.
        package static let ready = State(text: "READY=1")
        /// The settings are being reloaded, or another process takes over.
        package static var reloading: State {
            State(text: "RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1000)")
        }
        package static let stopping = State(text: "STOPPING=1")
        /// This process is the service's main process now, in place of the one that started it.
        package static let mainProcess = State(text: "MAINPID=\(getpid())")
    }

    /// Nil without a service manager.
    private let address: [UInt8]?

    /// - Parameter environment: `NOTIFY_SOCKET` is the path of the manager's socket; a leading `@` marks an abstract
    ///   one.
    package init(_ environment: [String: String]) {
        let path = Array((environment["NOTIFY_SOCKET"] ?? "").utf8)
        guard let first = path.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
            address = nil
            return
        }
        address = first == UInt8(ascii: "@") ? [0] + path.dropFirst() : path
    }

    /// Sends the states in one message. Errors are ignored.
    package func send(_ states: State...) {
        guard let address else { return }
        let text = states.map(\.text).joined(separator: "\n") + "\n"
        let descriptor = socket(AF_UNIX, SocketPlatform.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Limits the wait for a manager that does not read.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_un()
        guard address.count <= MemoryLayout.size(ofValue: target.sun_path) else { return }
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // The length must be exact: trailing bytes would become part of an abstract name.
        let length = socklen_t(start + address.count)
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = Array(text.utf8).withUnsafeBytes {
                    sendto(descriptor, $0.baseAddress, $0.count, SocketPlatform.sendFlags, pointer, length)
                }
            }
        }
    }
}
