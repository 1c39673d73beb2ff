import Bellerophon

extension GuardMachine {
    /// What happens to the program now. A grace counts from this report on.
    package var fate: CoveredProgram {
        if program == .waiting { return .notStarted }
        if let ending, waitsForTree || program.isAlive && ending.cause != .signal { return .ending(after: ending.grace) }
        return program.hasEnded ? .ended : program == .stopped ? .stopped : stops.isEmpty ? .running : .paused
    }
}
