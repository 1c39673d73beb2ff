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
        public var startWait = StartPolicy.usualWait
        /// The longest time that the start waits for the first status. A negative time counts as zero. Default: 2 s.
        public var startTimeout = Duration.seconds(2)
        /// What becomes of the program and everything that it has started if the guard's process is killed. Default: it ends.
        public var orphans = OrphanPolicy.end
        /// The exit status if the status has refused or ended the program. Default: 75 (EX_TEMPFAIL).
        public var exitCode: UInt8 = 75

        /// Creates the default options.
        public init() {}

        @MainActor
        func apply(to setup: inout GuardSetup) {
            setup.responses.onKill = onKill
            setup.responses.onUpdate = onUpdate
            setup.start = start
            setup.startTimeout = max(.zero, startTimeout)
            setup.startWait = max(.zero, startWait)
            setup.orphans = orphans
        }
    }
}
