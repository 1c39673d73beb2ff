import Foundation
import NIOCore

/// Why the server can't start or continue, and what to do.
package struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What must happen before the next attempt can succeed.
    package enum Kind: Equatable, Sendable, CaseIterable {
        /// A person must change a setting, a file, or the store's path.
        case configuration
        /// Another process must end: it holds the store or the port.
        case temporary
        /// The system must provide what it refused, such as an address, memory or descriptors.
        case system
        /// The disk must have space or work again.
        case disk
        /// The user needs a permission.
        case permission

        /// Classifies a failed system call.
        /// - Parameter number: `errno` directly after the call.
        package init(errno number: Int32) {
            switch number {
            case EACCES, EPERM, EROFS: self = .permission
            case ENOSPC, EDQUOT, EIO: self = .disk
            case EADDRINUSE, EWOULDBLOCK, EINTR: self = .temporary
            default: self = .system
            }
        }
    }

    package let kind: Kind
    package let description: String

    /// - Parameter hint: what to do, as the rest of a sentence; nil if the text already contains it.
    package init(_ what: String, hint: String? = nil, kind: Kind = .configuration) {
        self.kind = kind
        description = hint.map { "\(what); \($0)" } ?? what
    }

    /// A system call has failed.
    init(errno number: Int32, _ what: String, hint: String) {
        self.init("\(what): \(String(cString: strerror(number)))", hint: hint, kind: .init(errno: number))
    }

    /// Why the server can't listen.
    init(listening configuration: ServerConfiguration, _ error: any Error) {
        if let problem = error as? ServerError {
            self = problem
            return
        }
        let place = configuration.listeningAddress
        let number = (error as? IOError)?.errnoCode
        let (what, hint) =
            switch number {
            case EADDRINUSE:
                ("\(place) is in use by another program", "stop that one, or choose another port with --port or PORT")
            case EACCES, EPERM:
                ("this user may not listen on \(place)", "choose a port from 1024 with --port, or put a proxy in front")
            case EADDRNOTAVAIL:
                (
                    "\(place): this machine has no such address",
                    "use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses"
                )
            default: ("can't listen on \(place): \(error)", "check server.host and server.port")
            }
        self.init(what, hint: hint, kind: number.map(Kind.init(errno:)) ?? .system)
    }
}
