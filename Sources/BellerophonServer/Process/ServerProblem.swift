#if Server
import Foundation
import NIOCore

/// Why the server can't start, and what to do.
public struct ServerProblem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ what: String, hint: String) {
        description = "\(what); \(hint)"
    }

    /// A problem that says itself what to do.
    init(_ text: String) {
        description = text
    }

    /// What stood against listening.
    init(listening configuration: ServerConfiguration, _ error: any Error) {
        let place = "\(configuration.host) port \(configuration.port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            self.init("\(place) is in use by another program", hint: "stop that one, or choose another port with --port or PORT")
        case EACCES, EPERM:
            self.init("\(place) is not ours to take", hint: "choose a port from 1024 with --port, or put a proxy in front")
        case EADDRNOTAVAIL:
            self.init("\(place): this machine has no such address", hint: "use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses")
        default:
            self.init("can't listen on \(place): \(error)", hint: "check server.host and server.port")
        }
    }
}
#endif
