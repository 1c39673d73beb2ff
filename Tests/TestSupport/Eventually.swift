import Foundation
import Synchronization

/// How long a test waits for what must happen; far more than that takes, so that only what never comes fails on a busy
/// machine.
public let patience = Duration.seconds(60)

/// Looks for something every 10 ms: for what tells nobody that it has changed, such as a port or another program's reply.
/// - Throws: ``TestError`` when the bound is reached, and what `find` throws.
@discardableResult
public func eventually<Found>(
    _ subject: String, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ find: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + bound
    while true {
        if let found = try await find() { return found }
        guard ContinuousClock.now < end else {
            throw TestError("no \(subject) within \(bound)", at: Place(file: file, line: line))
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A port of the loopback interface that nobody uses now, for a program that has to be told one. No port is given twice,
/// and none that the system gives to those who ask for any: it may be long until the program takes it.
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
