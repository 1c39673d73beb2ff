import Foundation

/// How long a test waits for what must happen; far more than that takes, so that only what never comes fails on a busy
/// machine.
public let patience = Duration.seconds(60)

/// Looks for something every 10 ms: for what tells nobody that it has changed, such as a port or another program's reply.
/// - Throws: ``TestFailure`` when the bound is reached, and what `find` throws.
@discardableResult
public func eventually<Found>(
    _ subject: String, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ find: () async throws -> Found?
) async throws -> Found {
    let end = ContinuousClock.now + bound
    while true {
        if let found = try await find() { return found }
        guard ContinuousClock.now < end else {
            throw TestFailure("no \(subject) within \(bound)", at: Place(file: file, line: line))
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A port of the loopback interface that nobody uses now, for a program that has to be told one.
public func freePort() throws -> UInt16 {
    let socket = try Socket.bound(port: 0)
    defer { socket.close() }
    return socket.port
}
