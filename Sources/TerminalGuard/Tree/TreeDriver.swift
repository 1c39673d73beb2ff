/// Does with the tree of a program what the guard wants, step by step, without waiting.
///
/// Used by one thread, which calls ``turn(at:)`` when ``next`` is due.
package struct TreeDriver {
    package typealias Instant = ContinuousClock.Instant

    private enum Task: Equatable {
        /// All are being stopped.
        case pausing
        /// All are stopped, which is checked from time to time.
        case paused
        case killing(since: Instant)
    }

    private let tree: ProgramTree
    /// Nil if nothing is to be done.
    private var task: (kind: Task, due: Instant)?
    /// Since when the end of the last process is looked for; nil if it is not.
    private var watched: (start: Instant, due: Instant)?
    /// When ``turn(at:)`` is due; nil if nothing is to be done.
    package var next: Instant? { [task?.due, watched?.due].compactMap(\.self).min() }
    /// What was known of the tree after the last step of a pause or a kill.
    package private(set) var summary = TreeSummary()
    /// What had to be killed, as `NAME (PID)`, since the last call of ``kill(at:)``.
    package private(set) var killed: [String] = []

    /// How often a pause is checked.
    private static let checkTime = Duration.seconds(1)
    /// How often the end of the last process is looked for, in the first second and later.
    private static let watchTimes = (early: Duration.milliseconds(20), late: Duration.milliseconds(200))
    /// How long processes that are killed may take to end. One of another user or in an uninterruptible call may take longer.
    private static let killTime = Duration.seconds(3)

    package init(_ tree: ProgramTree) {
        self.tree = tree
    }

    // MARK: Requests

    /// Stops everything.
    package mutating func pause(at now: Instant) {
        adopt(tree.pause(), of: .pausing, at: now)
    }

    /// Lets everything go on.
    package mutating func resume() {
        task = nil
        tree.resume()
        summary = TreeSummary()
    }

    /// Sends a signal to everything.
    package func send(_ signal: Int32) { tree.send(signal) }

    /// Removes the control group, if there is one. The processes in it have ended, or go on without the guard.
    package func removeGroup() { tree.removeGroup() }

    /// Kills everything.
    package mutating func kill(at now: Instant) {
        adopt(tree.kill(), of: .killing(since: now), at: now)
    }

    /// Looks for the end of the last process; ``turn(at:)`` then returns true.
    package mutating func watch(at now: Instant) {
        watched = (now, now)
    }

    // MARK: Steps

    /// Does what is due.
    /// - Returns: whether nothing is left, or what is left can't be ended, as ``watch(at:)`` wanted.
    package mutating func turn(at now: Instant) -> Bool {
        if let task, task.due <= now { step(task.kind, at: now) }
        guard let (start, due) = watched, due <= now else { return false }
        if tree.isEmpty || hasGivenUp(at: now) {
            watched = nil
            return true
        }
        let isEarly = start.duration(to: now) < .seconds(1)
        watched = (start, now + (isEarly ? Self.watchTimes.early : Self.watchTimes.late))
        return false
    }

    private mutating func step(_ task: Task, at now: Instant) {
        switch task {
        case .pausing: adopt(tree.settle(), of: task, at: now)
        case .paused: adopt(tree.recheck(), of: task, at: now)
        case .killing: adopt(tree.settleKill(), of: task, at: now)
        }
    }

    private mutating func adopt(_ settlement: ProgramTree.Settlement, of kind: Task, at now: Instant) {
        switch settlement {
        case .again(let wait): task = (kind, now + wait)
        case .settled: task = kind == .pausing || kind == .paused ? (.paused, now + Self.checkTime) : nil
        }
        killed = tree.killed.map(Self.name)
        summary = TreeSummary(processes: tree.knownCount, holding: tree.mechanism, notHeld: tree.notHeld.map(Self.name))
    }

    private func hasGivenUp(at now: Instant) -> Bool {
        if case .killing(let start) = task?.kind { start.duration(to: now) > Self.killTime } else { false }
    }

    private static func name(_ process: TreeProcess) -> String { "\(process.name) (\(process.pid))" }
}
