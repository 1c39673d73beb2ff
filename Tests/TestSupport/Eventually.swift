import Foundation
import Synchronization

/// Calls `find` every 10 ms until it returns a value, for conditions without a notification, such as an open port.
/// - Throws: ``TestError`` when the bound is reached, and what `find` throws.
@discardableResult
public func eventually<Found>(
    _ subject: String, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ find: () async throws -> Found?
) async throws -> Found {
    let patience = Patience(bound)
    while true {
        if let found = try await find() { return found }
        guard !patience.isOver else {
            throw TestError("no \(subject) within \(bound)", at: Place(file: file, line: line))
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A free port of the loopback interface, for a program that needs a port number. No port is returned twice, and none
/// lies in the system's ephemeral range, since the program may bind it much later.
public func freePort() throws -> UInt16 {
    for _ in 0..<1000 {
        let port = portsGiven.withLock { count in
            count += 1
            return UInt16(20_000 + (Int(getpid()) * 97 + count) % 10_000)
        }
        guard let socket = try? Socket.bound(port: port) else { continue }
        socket.close()
        return port
    }
    throw TestError("no free port from 20000 to 29999")
}

private let portsGiven = Mutex(0)
