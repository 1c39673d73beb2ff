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

    /// - Parameter hint: what to do, as the rest of a sentence.
    package init(_ what: String, hint: String, kind: Kind = .configuration) {
        self.init("\(what); \(hint)", kind: kind)
    }

    /// A problem whose text already contains what to do.
    init(_ text: String, kind: Kind = .configuration) {
        self.kind = kind
        description = text
    }

    /// Why the server can't listen.
    init(listening configuration: ServerConfiguration, _ error: any Error) {
        if let problem = error as? ServerError {
            self = problem
            return
        }
        let place = configuration.listeningAddress
        let number = (error as? IOError)?.errnoCode
        let kind = number.map(Kind.init(errno:)) ?? .system
        if case .file = place {
            self.init(socketAt: place.description, number, kind, error)
            return
        }
        switch number {
        case EADDRINUSE:
            self.init(
                "\(place) is in use by another program", hint: "stop that one, or choose another port with --port or PORT",
                kind: kind)
        case EACCES, EPERM:
            self.init(
                "this user may not listen on \(place)", hint: "choose a port from 1024 with --port, or put a proxy in front",
                kind: kind)
        case EADDRNOTAVAIL:
            self.init(
                "\(place): this machine has no such address",
                hint: "use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses", kind: kind
            )
        default:
            self.init("can't listen on \(place): \(error)", hint: "check server.host and server.port", kind: kind)
        }
    }

    /// Why a Unix socket can't be used.
    private init(socketAt path: String, _ number: CInt?, _ kind: Kind, _ error: any Error) {
        switch number {
        case EADDRINUSE:
            self.init(
                "\(path) is in use by another program, or is another kind of file",
                hint: "choose another path with server.socket",
                kind: kind)
        case ENOENT: self.init("\(path): there is no such folder", hint: "make it, or choose another path with server.socket")
        case EACCES, EPERM:
            self.init(
                "\(path) may not be created by this user", hint: "choose a folder of this user with server.socket", kind: kind)
        default: self.init("can't listen on \(path): \(error)", hint: "check server.socket", kind: kind)
        }
    }
}
