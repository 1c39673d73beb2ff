import Bellerophon

extension GuardMachine {
    /// What happens to the program now. A grace counts from this report on.
    package var fate: CoveredProgram {
        let isEnded = ending.map { $0.cause != .signal } ?? false
        return switch program {
        case .waiting: .notStarted
        case .ended: waitsForTree ? .ending(after: endingGrace) : .ended
        case .running where isEnded, .stopped where isEnded: .ending(after: endingGrace)
        case .running: stops.isEmpty ? .running : .paused
        case .stopped: .stopped
        }
    }
}
