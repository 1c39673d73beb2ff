/// What happens to the program of a guard, for the line on the cover.
package enum ProgramFate: Equatable, Sendable {
    /// It was not started.
    case waiting
    case running
    /// The status or the person has stopped it.
    case paused
    /// Somebody else has stopped it.
    case stopped
    /// It was asked to end, and is killed after this time from the report on.
    case ending(grace: Duration)
    case ended
}

extension GuardMachine {
    /// What happens to the program now.
    package var fate: ProgramFate {
        let isEnded = ending.map { $0.cause != .signal } ?? false
        return switch program {
        case .waiting: .waiting
        case .ended: waitsForTree ? .ending(grace: endingGrace) : .ended
        case .running where isEnded, .stopped where isEnded: .ending(grace: endingGrace)
        case .running: stops.isEmpty ? .running : .paused
        case .stopped: .stopped
        }
    }
}
