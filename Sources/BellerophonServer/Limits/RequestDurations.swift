/// A histogram of reply durations for each route class, on one event loop or on all.
struct RequestDurations: Sendable {
    /// The upper bounds in seconds, as in Prometheus' text format: powers of ten.
    static let bounds = ["0.0001", "0.001", "0.01", "0.1", "1", "10", "+Inf"]
    private static let width = bounds.count

    /// By route class, then by bound: replies that took longer than the previous bound and at most this one.
    private var answers = [UInt64](repeating: 0, count: RouteClass.allCases.count * RequestDurations.width)
    private var nanoseconds = [UInt64](repeating: 0, count: RouteClass.allCases.count)

    mutating func add(_ route: RouteClass, nanoseconds: Int64) {
        var (bound, limit) = (0, Int64(100_000))
        while bound < Self.width - 1, nanoseconds > limit { (bound, limit) = (bound + 1, limit * 10) }
        answers[route.rawValue * Self.width + bound] += 1
        self.nanoseconds[route.rawValue] += UInt64(max(nanoseconds, 0))
    }

    mutating func add(_ other: RequestDurations) {
        for index in answers.indices { answers[index] += other.answers[index] }
        for index in nanoseconds.indices { nanoseconds[index] += other.nanoseconds[index] }
    }

    /// The route classes with at least one reply.
    var nonzero: [(route: RouteClass, histogram: Histogram)] {
        RouteClass.allCases.compactMap { route in
            let own = answers[route.rawValue * Self.width..<(route.rawValue + 1) * Self.width]
            var total: UInt64 = 0
            let cumulative = own.map { count in
                total += count
                return total
            }
            return total == 0 ? nil : (route, Histogram(counts: cumulative, seconds: Double(nanoseconds[route.rawValue]) / 1e9))
        }
    }

    struct Histogram: Equatable, Sendable {
        /// For each of ``bounds``, the number of replies that took at most that time.
        let counts: [UInt64]
        /// The sum of all durations.
        let seconds: Double
    }
}
