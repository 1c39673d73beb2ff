/// The number of replies by route class and code, and of refusals, on one event loop or on all.
struct RequestCounts: Sendable {
    /// By route class, then by code.
    private var answers = [[Int: UInt64]](repeating: [:], count: RouteClass.allCases.count)
    var shed: UInt64 = 0

    mutating func add(_ route: RouteClass, _ code: Int) { answers[route.rawValue][code, default: 0] += 1 }

    mutating func add(_ other: RequestCounts) {
        for index in answers.indices { answers[index].merge(other.answers[index], uniquingKeysWith: +) }
        shed += other.shed
    }

    /// The combinations with at least one reply.
    var nonzero: [(route: RouteClass, code: Int, count: UInt64)] {
        RouteClass.allCases.flatMap { route in
            answers[route.rawValue].sorted { $0.key < $1.key }.map { (route, $0.key, $0.value) }
        }
    }
}
