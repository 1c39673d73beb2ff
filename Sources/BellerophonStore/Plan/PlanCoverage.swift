#if Server
import Foundation
import StatusModel

/// When the rules of a plan cover every app that asks.
struct PlanCoverage: Equatable, Sendable {
    private struct Time: Equatable, Sendable {
        let stage: Stage?
        let from: Date?
        let until: Date?
    }

    private let times: [Time]

    init(_ plan: RowPlan?) {
        times = (plan?.operatorRules ?? []).map(\.rule).filter { rule in
            rule.effect.stage != nil && rule.only.isEmpty && rule.except.isEmpty
        }.map { Time(stage: $0.effect.stage, from: $0.from, until: $0.until) }
    }

    var isEmpty: Bool { times.isEmpty }
}
#endif
