#if Server
import Logging
import NIOCore
import Synchronization

/// Requests of operators that were refused for their token: counted each; a wrong token is logged too.
final class AuthenticationFailures: Sendable {
    enum Reason: String, Sendable, CaseIterable {
        /// There was none.
        case missing
        /// Nobody's, or a revoked one.
        case unknown
        /// It may read only, and something was to be published.
        case forbidden
    }

    private let missing = Atomic<UInt64>(0)
    private let unknown = Atomic<UInt64>(0)
    private let forbidden = Atomic<UInt64>(0)
    private let lines = Mutex(LineLimit(perSecond: 10))

    func count(_ reason: Reason) {
        switch reason {
        case .missing: missing.wrappingAdd(1, ordering: .relaxed)
        case .unknown: unknown.wrappingAdd(1, ordering: .relaxed)
        case .forbidden: forbidden.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// How often each happened since the start.
    var counts: [(reason: Reason, count: UInt64)] {
        [
            (.missing, missing.load(ordering: .relaxed)), (.unknown, unknown.load(ordering: .relaxed)),
            (.forbidden, forbidden.load(ordering: .relaxed)),
        ]
    }

    /// Counts one, and logs who it was; of many in one second, the first ten.
    func note(_ reason: Reason, client: String?, path: String, _ logger: Logger, at now: NIODeadline = .now()) {
        count(reason)
        let (isWritten, rest) = lines.withLock { $0.take(at: now) }
        Self.tell(rest, logger)
        guard isWritten else { return }
        logger.warning(
            "an authentication failed",
            metadata: [
                "client": "\(client ?? "unknown")", "path": "\(path)", "reason": "\(reason.rawValue)",
            ])
    }

    /// Sums up what was not logged in a second that is over.
    func tellRest(_ logger: Logger, at now: NIODeadline = .now()) {
        Self.tell(lines.withLock { $0.rest(at: now) }, logger)
    }

    private static func tell(_ rest: Int, _ logger: Logger) {
        guard rest > 0 else { return }
        logger.warning("more authentications failed within a second", metadata: ["count": "\(rest)"])
    }
}

/// At most so many lines in a second. What is left out is counted, to be summed up once the second is over.
struct LineLimit: Equatable, Sendable {
    private let perSecond: Int
    private var second: UInt64 = 0
    private var written = 0
    private var leftOut = 0

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// - Returns: whether this line is written, and how many were left out in a second that is over.
    mutating func take(at now: NIODeadline) -> (isWritten: Bool, rest: Int) {
        let rest = rest(at: now)
        guard written < perSecond else {
            leftOut += 1
            return (false, rest)
        }
        written += 1
        return (true, rest)
    }

    /// - Returns: how many lines were left out in a second that is over; their sum counts as a line of the present one.
    mutating func rest(at now: NIODeadline) -> Int {
        let present = now.uptimeNanoseconds / 1_000_000_000
        guard present != second else { return 0 }
        let rest = leftOut
        (second, written, leftOut) = (present, rest > 0 ? 1 : 0, 0)
        return rest
    }
}
#endif
