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

/// The file of a Unix socket.
struct SocketFile {
    let path: String

    /// Owner and group may connect.
    private static let mode: mode_t = 0o660

    /// Removes the file of a process that has ended. A socket that somebody listens on, and any other file, stays.
    func removeIfAbandoned() {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == .typeSocket, let address = try? SocketAddress(unixDomainSocketPath: path)
        else { return }
        let descriptor = socket(AF_UNIX, SocketPlatform.stream, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let result = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        if result < 0, errno == ECONNREFUSED { unlink(path) }
    }

    /// Lets the group connect. It is called before connections are taken.
    func admitGroup() throws {
        guard chmod(path, Self.mode) == 0 else { throw IOError(errnoCode: errno, reason: "chmod") }
    }
}
