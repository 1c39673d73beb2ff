/// The number of replies by route class and code, on one event loop or on all.
struct RequestCounts: Sendable {
    /// By route class, then by code.
    private var answers = [[Int: UInt64]](repeating: [:], count: RouteClass.allCases.count)
    private(set) var bytes: UInt64 = 0
    private(set) var pushed: UInt64 = 0
    private(set) var durations = RequestDurations()
    var shed: UInt64 = 0

    mutating func add(_ route: RouteClass, _ code: Int, bytes: Int) {
        answers[route.rawValue][code, default: 0] += 1
        self.bytes += UInt64(bytes)
    }

    /// Counts a reply with its duration.
    mutating func add(_ route: RouteClass, _ code: Int, bytes: Int, nanoseconds: Int64) {
        add(route, code, bytes: bytes)
        durations.add(route, nanoseconds: nanoseconds)
    }

    /// Counts one message to one stream.
    mutating func addPushed(bytes: Int) {
        pushed += 1
        self.bytes += UInt64(bytes)
    }

    mutating func add(_ other: RequestCounts) {
        for index in answers.indices { answers[index].merge(other.answers[index], uniquingKeysWith: +) }
        bytes += other.bytes
        pushed += other.pushed
        shed += other.shed
        durations.add(other.durations)
    }

    /// The combinations with at least one reply.
    var nonzero: [(route: RouteClass, code: Int, count: UInt64)] {
        RouteClass.allCases.flatMap { route in
            answers[route.rawValue].sorted { $0.key < $1.key }.map { (route, $0.key, $0.value) }
        }
    }
}
