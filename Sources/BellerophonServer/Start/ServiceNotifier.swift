import Dispatch
import Foundation
import NIOCore

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

    /// The address of the manager's socket, and its length; nil without a service manager.
    private let target: (address: SocketAddress, length: socklen_t)?

    /// - Parameter environment: `NOTIFY_SOCKET` is the path of the manager's socket; a leading `@` marks an abstract
    ///   one.
    package init(_ environment: [String: String]) {
        let path = environment["NOTIFY_SOCKET"] ?? ""
        let name = path.hasPrefix("@") ? "\0" + path.dropFirst() : path
        guard name.hasPrefix("/") || name.hasPrefix("\0"), let address = try? SocketAddress(unixDomainSocketPath: name) else {
            target = nil
            return
        }
        // The length must be exact: trailing bytes would become part of an abstract name.
        target = (address, socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + name.utf8.count))
    }

    /// Sends the states in one message. Errors are ignored.
    package func send(_ states: State...) {
        guard let target else { return }
        let text = Array((states.map(\.text).joined(separator: "\n") + "\n").utf8)
        let descriptor = socket(AF_UNIX, SocketPlatform.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Limits the wait for a manager that does not read.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        _ = target.address.withSockAddr { address, _ in
            sendto(descriptor, text, text.count, SocketPlatform.sendFlags, address, target.length)
        }
    }
}
