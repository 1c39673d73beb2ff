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

        /// Nil for a problem that is not one of the token.
        init?(_ problem: ProblemType) {
            switch problem {
            case .unauthorized: self = .missing
            case .unknownToken: self = .unknown
            case .expiredToken: self = .expired
            case .forbidden: self = .forbidden
            default: return nil
            }
        }
    }

    private let failures = Mutex<[Reason: UInt64]>([:])
    private let lines = Mutex(LineLimit(perSecond: 10))

    func count(_ reason: Reason) { failures.withLock { $0[reason, default: 0] += 1 } }

    /// The number of failures since the start, by reason.
    var counts: [(reason: Reason, count: UInt64)] {
        failures.withLock { failures in Reason.allCases.map { ($0, failures[$0] ?? 0) } }
    }

    /// Counts a failure and logs its client, unless it has sent no token; at most ten a second are logged.
    func record(_ reason: Reason, client: String?, path: String, _ logger: Logger, at now: NIODeadline = .now()) {
        count(reason)
        guard reason != .missing else { return }
        let (isWritten, rest) = lines.withLock { $0.countLine(at: now) }
        Self.logOmitted(rest, logger)
        guard isWritten else { return }
        logger.warning(
            "an authentication failed",
            metadata: [
                "client": "\(client ?? "unknown")", "path": "\(path)", "reason": "\(reason.rawValue)",
            ])
    }

    /// Logs how many failures were left out of the log in a past second.
    func tellRest(_ logger: Logger, at now: NIODeadline = .now()) {
        Self.logOmitted(lines.withLock { $0.rest(at: now) }, logger)
    }

    private static func logOmitted(_ rest: Int, _ logger: Logger) {
        guard rest > 0 else { return }
        logger.warning("more authentications failed within a second", metadata: ["count": "\(rest)"])
    }
}

/// Limits the number of log lines per second, and counts those that are left out.
struct LineLimit: Equatable, Sendable {
    private let perSecond: Int
    private var second: UInt64 = 0
    private var written = 0
    private var leftOut = 0

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// - Returns: whether to write this line, and how many lines were left out in a past second.
    mutating func countLine(at now: NIODeadline) -> (isWritten: Bool, rest: Int) {
        let rest = rest(at: now)
        guard written < perSecond else {
            leftOut += 1
            return (false, rest)
        }
        written += 1
        return (true, rest)
    }

    /// - Returns: how many lines were left out in a past second. A nonzero number counts as one line of the current
    ///   second.
    mutating func rest(at now: NIODeadline) -> Int {
        let present = now.uptimeNanoseconds / 1_000_000_000
        guard present != second else { return 0 }
        let rest = leftOut
        (second, written, leftOut) = (present, rest > 0 ? 1 : 0, 0)
        return rest
    }
}
