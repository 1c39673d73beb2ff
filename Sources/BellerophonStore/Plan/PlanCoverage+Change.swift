#if Server
import Foundation
import StatusModel

extension PlanCoverage {
    /// Whether every app is covered at no time at which another plan does not cover every app.
    func isWithin(_ other: PlanCoverage) -> Bool {
        everybody.allSatisfy { span in other.everybody.contains { $0.contains(span) } }
    }
}

extension RuleMatrix.Span {
    /// Whether another span is a part of this one. A span without a beginning has begun.
    fileprivate func contains(_ other: RuleMatrix.Span) -> Bool {
        guard case .between(let from, let until) = self, case .between(let start, let end) = other else { return self == other }
        return from ?? .always <= start ?? .always && end ?? .never <= until ?? .never
    }
}
#endif
