/// Runs a trial with a longer limit each time until it succeeds.
///
/// It is for limits that end something and that must not end what comes before it, such as the first bytes of a reply: the short limit
/// keeps the test quick, and a machine with other work gets the time that it needs.
/// - Parameter trial: returns nil if the limit was too short for what comes before its end.
/// - Returns: the first result, and the limit that gave it.
/// - Throws: ``TestError`` if 30 seconds are too short, and what `trial` throws.
@discardableResult
public func withLongEnoughLimit<Result>(
    _ subject: String, file: StaticString = #fileID, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    _ trial: (Duration) async throws -> Result?
) async throws -> (result: Result, limit: Duration) {
    for limit in [Duration.milliseconds(200), .seconds(2), .seconds(30)] {
        if let result = try await trial(limit) { return (result, limit) }
    }
    throw TestError("no \(subject) within 30 seconds", at: Place(file: file, line: line))
}
