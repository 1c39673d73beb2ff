import Logging
import NIOCore
import Synchronization

/// Counts operators' requests that were refused for their token. A wrong token is also logged.
final class AuthenticationFailures: Sendable {
    /// Why: there was no token, it does not exist or is revoked, it has reached its end, or its scopes do not allow the request.
    private static let reasons: KeyValuePairs<ProblemType, String> = [
        .unauthorized: "missing", .unknownToken: "unknown", .expiredToken: "expired", .forbidden: "forbidden",
    ]

    private let failures = Mutex<[ProblemType: UInt64]>([:])
    /// The second of the last line in the log, and how many lines it has, with those that are left out.
    private let lines = Mutex((second: UInt64(0), count: 0))

    func count(_ problem: ProblemType) { failures.withLock { $0[problem, default: 0] += 1 } }

    /// The number of failures since the start, by reason.
    var counts: [(reason: String, count: UInt64)] {
        failures.withLock { failures in Self.reasons.map { ($0.value, failures[$0.key] ?? 0) } }
    }

    /// Counts a problem of a token and logs its client, unless it has sent none; at most ten a second are logged.
    func record(_ problem: ProblemType, client: String?, path: String, _ logger: Logger, at now: NIODeadline = .now()) {
        guard let reason = Self.reasons.first(where: { $0.key == problem })?.value else { return }
        count(problem)
        guard problem != .unauthorized else { return }
        let second = now.uptimeNanoseconds / 1_000_000_000
        let number = lines.withLock { lines in
            lines = (second, lines.second == second ? lines.count + 1 : 1)
            return lines.count
        }
        if number == 11 { logger.warning("more authentications fail within this second; the metrics count them") }
        guard number <= 10 else { return }
        logger.warning(
            "an authentication failed",
            metadata: ["client": "\(client ?? "unknown")", "path": "\(path)", "reason": "\(reason)"])
    }
}
