import Foundation
import NIOCore

/// Where a server listens.
package enum ListeningAddress: Equatable, Sendable, CustomStringConvertible {
    case port(host: String, port: Int)
    /// A Unix socket, at the path of its file.
    case file(String)

    /// The longest path of a Unix socket, in bytes (`sun_path`, less its end).
    package static let pathLimit = 103

    package var description: String {
        switch self {
        case .port(let host, let port): "\(host) port \(port)"
        case .file(let path): path
        }
    }

    /// - Throws: `IOError`, or the error of the host's look-up.
    func resolved() throws -> SocketAddress {
        switch self {
        case .port(let host, let port): try .makeAddressResolvingHost(host, port: port)
        case .file(let path): try SocketAddress(unixDomainSocketPath: path)
        }
    }
}
