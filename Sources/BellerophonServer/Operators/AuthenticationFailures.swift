import Logging
import NIOCore
import Synchronization

/// Counts operators' requests that were refused for their token. A wrong token is also logged.
final class AuthenticationFailures: Sendable {
    enum Reason: String, Sendable, CaseIterable {
        /// The request had no token.
        case missing
        /// The token does not exist or is revoked.
        case unknown
        /// The token has reached its end.
        case expired
        /// The token's scopes do not allow the request.
        case forbidden

        fileprivate static let problems: [ProblemType: Reason] = [
            .unauthorized: .missing, .unknownToken: .unknown, .expiredToken: .expired, .forbidden: .forbidden,
        ]
    }

    private let failures = Mutex<[Reason: UInt64]>([:])
    /// The second of the last line in the log, and how many lines it has, with those that are left out.
    private let lines = Mutex((second: UInt64(0), count: 0))

    func count(_ reason: Reason) { failures.withLock { $0[reason, default: 0] += 1 } }

    /// The number of failures since the start, by reason.
    var counts: [(reason: Reason, count: UInt64)] {
        failures.withLock { failures in Reason.allCases.map { ($0, failures[$0] ?? 0) } }
    }

    /// Counts a problem of a token and logs its client, unless it has sent none; at most ten a second are logged.
    func record(_ problem: ProblemType, client: String?, path: String, _ logger: Logger, at now: NIODeadline = .now()) {
        guard let reason = Reason.problems[problem] else { return }
        count(reason)
        guard reason != .missing else { return }
        let second = now.uptimeNanoseconds / 1_000_000_000
        let number = lines.withLock { lines in
            lines = (second, lines.second == second ? lines.count + 1 : 1)
            return lines.count
        }
        if number == 11 { logger.warning("more authentications fail within this second; the metrics count them") }
        guard number <= 10 else { return }
        logger.warning(
            "an authentication failed",
            metadata: ["client": "\(client ?? "unknown")", "path": "\(path)", "reason": "\(reason.rawValue)"])
    }
}
