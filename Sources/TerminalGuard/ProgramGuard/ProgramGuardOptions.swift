extension ProgramGuard {
    /// What a guard does to its program besides covering it.
    public struct Options: Equatable, Sendable {
        /// What a kill does. Default: the program continues under the view.
        public var onKill = GuardResponse.cover
        /// What a required update does. Default: the program continues under the view.
        public var onUpdate = GuardResponse.cover
        /// What happens if the status blocks the program before its start. nil, the default: the view is shown, and the program starts
        /// when the status clears; without a terminal the program ends with ``exitCode``.
        public var start: StartPolicy?
        /// The longest time that ``StartPolicy/wait`` waits without a terminal. A negative time counts as zero. Default: 10 minutes.
        public var startWait = Duration.seconds(600) { didSet { startWait = max(.zero, startWait) } }
        /// The longest time that the start waits for the first status. A negative time counts as zero. Default: 2 s.
        public var startTimeout = Duration.seconds(2) { didSet { startTimeout = max(.zero, startTimeout) } }
        /// What becomes of the program and everything that it has started if the guard's process is killed. Default: it ends.
        public var orphans = OrphanPolicy.end
        /// The exit status if the status has refused or ended the program. Default: 75 (EX_TEMPFAIL).
        public var exitCode: UInt8 = 75

        /// Creates the default options.
        public init() {}
    }
}

/// What a guard does, as a program, a profile or flags choose it.
package typealias GuardPolicy = ProgramGuard.Options

extension GuardPolicy {
    /// How long the program may take to end before its new version starts.
    var restartGrace: Duration {
        switch onUpdate {
        case .restart(let grace), .terminate(let grace): grace
        case .cover, .pause: GuardResponse.usualGrace
        }
    }

    /// Whether the person agrees to the restart with the command, so that it follows without another question.
    package var goesOn: Bool { if case .restart = onUpdate { true } else { false } }
}
