import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// A temporary store, served by real processes.
final class ServedStore: Sendable {
    let home: TestFolder
    let folder: URL

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent("store")
    }

    deinit {
        // A successor process is not a child of the test.
        if let mark = ServerLock.mark(folder) { kill(mark.process, SIGKILL) }
    }

    func serve(_ arguments: [String] = [], environment: [String: String?] = [:]) throws -> RunningProgram {
        try RunningProgram(
            Products.path("bellerophon-server"), ["serve", "--create", "--store", folder.path, "--port", "0"] + arguments,
            home: home,
            environment: environment
        )
    }

    func command(_ arguments: String...) async throws -> CommandResult {
        try await runServerCommand(arguments + ["--store", folder.path], home: home)
    }

    /// Waits until a server accepts connections, and returns its port.
    static func port(_ program: RunningProgram) throws -> UInt16 {
        try program.wait(for: "address") { log in
            log.firstMatch(of: /listening address="?https?:\/\/127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) }
        }
    }

    func port(_ program: RunningProgram) async throws -> UInt16 { try await onOwnThread { try Self.port(program) } }

    /// The process identifier in the lock file.
    var process: pid_t? { ServerLock.mark(folder)?.process }

    /// Ends the process that serves the store, and waits for its end.
    func stop() async throws {
        if let process { kill(process, SIGTERM) }
        try await eventually("end of the server") { ServerLock.isHeld(folder) ? nil : true }
    }

    /// Sends a request on its own connection and returns the complete response.
    static func ask(_ path: String, _ port: UInt16) throws -> String {
        let client = try WireClient(port: port)
        try client.get(path, "Connection: close")
        switch try client.readToEnd() {
        case .closed(let text): return text
        case .reset(let text): throw TestError("a connection was reset", detail: text)
        }
    }
}

/// A service manager's socket for notifications of services.
final class NotifySocket: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    /// - Parameter name: a path, or an abstract name that begins with `@`.
    init(_ name: String) throws {
        self.name = name
        #if os(Linux)
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let type = SOCK_DGRAM
        #endif
        descriptor = socket(AF_UNIX, type, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw TestError("too long a name: \(name)") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw TestError("no socket \(name)", detail: String(cString: strerror(errno))) }
        var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// The next message, without its times.
    func next() async throws -> [String] {
        let descriptor = descriptor
        let text = try await onOwnThread {
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw TestError("no message", detail: String(cString: strerror(errno))) }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
        return text.split(separator: "\n").map { $0.hasPrefix("MONOTONIC_USEC=") ? "MONOTONIC_USEC" : String($0) }
    }
}

/// A certificate for tests, made by openssl.
enum TestCertificate {
    static func openssl() throws -> String {
        try #require(
            ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first { FileManager.default.isExecutableFile(atPath: $0) })
    }

    /// Writes `key.pem` and `certificate.pem` into a folder, and returns their paths.
    static func make(in folder: TestFolder, name: String = "localhost") async throws -> (key: String, certificate: String) {
        let (key, certificate) = (folder.path("key.pem"), folder.path("certificate.pem"))
        let made = try await runCommand(
            openssl(),
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj",
                "/CN=\(name)",
            ])
        #expect(made.status == .exited(0), "\(made.standardError)")
        return (key, certificate)
    }
}
