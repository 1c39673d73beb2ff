/// Plays a timeline. It is a value without a clock: callers pass the time as a monotonic duration since any origin.
///
/// A step that ends by count advances when a request is *matched*: the match itself uses one of the step's counts, so
/// that two concurrent requests never get the same one. A shared player needs a lock.
package struct TimelinePlayer: Equatable, Sendable {
    /// An input to the player.
    package enum Event: Equatable, Sendable {
        /// Continues, or starts again after the end.
        case play
        /// Keeps the current response; neither time nor matches advance the timeline.
        case pause
        /// Moves to the next step, playing or not.
        case step
        /// Moves to a step, counted from 0; ignored if there is no such step.
        case jump(to: Int)
        /// Sets the speed factor, clamped to 1...1000.
        case speed(Int)
    }

    /// Whether a timeline advances.
    package enum Phase: String, Equatable, Sendable {
        /// The timeline advances.
        case playing
        /// The timeline stands still.
        case paused
        /// The timeline has ended; the last step's response stays in effect.
        case ended
    }

    /// The timeline that is played.
    package let timeline: Timeline
    /// The speed factor relative to the clock, 1 to 1000.
    package private(set) var speed: Int
    /// The number of rounds begun, from 1; above 1 only for a timeline that repeats.
    package private(set) var round = 1
    private var isPlaying = false
    private var hasEnded = false
    private var index = 0
    /// The time since the step began, on the timeline's own clock.
    private var elapsed = Duration.zero
    private var matches = 0
    private var lastNow: Duration

    /// Creates a paused player at the start of a timeline.
    /// - Parameters:
    ///   - timeline: the timeline to play.
    ///   - speed: the speed factor, clamped to 1...1000.
    ///   - now: the current time on the clock of all later calls.
    package init(_ timeline: Timeline, speed: Int = 1, at now: Duration = .zero) {
        self.timeline = timeline
        self.speed = Self.clamped(speed)
        lastNow = now
        hasEnded = timeline.steps.isEmpty
    }

    /// Whether the player is playing, paused or ended.
    package var phase: Phase { hasEnded ? .ended : isPlaying ? .playing : .paused }

    /// Advances to a time, then applies an event.
    package mutating func handle(_ event: Event, at now: Duration) {
        advance(to: now)
        switch event {
        case .play:
            if hasEnded { rewind() }
            isPlaying = true
        case .pause: isPlaying = false
        case .step: goToNextStep()
        case .jump(let target): jump(to: target)
        case .speed(let factor): speed = Self.clamped(factor)
        }
    }

    /// Advances to a time. A time before the last one counts as the last one.
    package mutating func advance(to now: Duration) {
        // Clamped to more than thirty thousand years, so that the arithmetic cannot overflow.
        let passed = min(max(now - lastNow, .zero), .seconds(1_000_000_000_000)) * speed
        lastNow = max(now, lastNow)
        guard isPlaying, !hasEnded else { return }
        elapsed += passed
        skipWholeRounds()
        var stepsWithoutTime = 0
        while case .lasting(let length) = step?.length, elapsed >= length, !hasEnded {
            // A timeline that repeats and takes no time would never get further.
            stepsWithoutTime = length > .zero ? 0 : stepsWithoutTime + 1
            guard stepsWithoutTime <= timeline.steps.count else { return }
            let rest = elapsed - length
            goToNextStep()
            elapsed = hasEnded ? length : rest
        }
    }

    /// The response to a request at this time; counts the match.
    /// - Returns: nil only for a timeline without steps.
    package mutating func match(at now: Duration) -> String? {
        advance(to: now)
        let response = step?.response
        guard isPlaying, !hasEnded, case .times(let count) = step?.length else { return response }
        matches += 1
        if matches >= count { goToNextStep() }
        return response
    }

    // MARK: Moves

    private var step: Timeline.Step? { timeline.steps.indices.contains(index) ? timeline.steps[index] : nil }

    private mutating func goToNextStep() {
        guard !hasEnded else { return }
        if index + 1 < timeline.steps.count {
            enter(index + 1)
        } else if timeline.repeats {
            enter(0)
            round += 1
        } else {
            hasEnded = true
        }
    }

    private mutating func jump(to target: Int) {
        guard timeline.steps.indices.contains(target) else { return }
        enter(target)
        hasEnded = false
    }

    private mutating func rewind() {
        enter(0)
        round = 1
        hasEnded = timeline.steps.isEmpty
    }

    private mutating func enter(_ next: Int) {
        index = next
        elapsed = .zero
        matches = 0
    }

    /// Skips whole rounds at once, instead of step by step, if all steps end by time.
    private mutating func skipWholeRounds() {
        guard timeline.repeats, let total = timeline.duration, total > .zero, elapsed >= total else { return }
        let rounds = elapsed.attoseconds / total.attoseconds
        elapsed -= Duration(attoseconds: rounds * total.attoseconds)
        round += Int(clamping: rounds)
    }

    private static func clamped(_ speed: Int) -> Int { min(max(speed, 1), 1000) }
}

// MARK: Position

extension TimelinePlayer {
    /// The position of a player, for a display. All times are the timeline's own: at ×10 they pass ten times as fast.
    package struct Position: Equatable, Sendable {
        /// The remainder of a step.
        package enum Remaining: Equatable, Sendable {
            /// This time.
            case time(Duration)
            /// This number of requests.
            case matches(Int)
            /// No limit: the step ends when a caller moves to another step.
            case untilTold
            /// Nothing: the timeline has ended.
            case nothing
        }

        /// The index of the current step, from 0.
        package let stepIndex: Int
        /// The current step.
        package let step: Timeline.Step
        /// The time since the step began.
        package let elapsed: Duration
        /// The number of requests matched by the step; 0 unless the step ends by count.
        package let matches: Int
        /// The remainder of the current step.
        package let remaining: Remaining
        /// The completed fraction of the step, 0 to 1; nil if it has no end of its own.
        package let fraction: Double?
    }

    /// The position at the last call with a time; nil only for a timeline without steps.
    package var position: Position? {
        step.map { step in
            Position(
                stepIndex: index, step: step, elapsed: elapsed, matches: matches, remaining: remaining(in: step),
                fraction: fraction(of: step)
            )
        }
    }

    /// The time on the caller's clock until the player advances by time alone; nil if it does not.
    package var untilNextStep: Duration? {
        guard phase == .playing, case .lasting(let length) = step?.length else { return nil }
        let left = (length - elapsed).attoseconds
        return Duration(attoseconds: (left + Int128(speed) - 1) / Int128(speed))
    }

    private func remaining(in step: Timeline.Step) -> Position.Remaining {
        if hasEnded { return .nothing }
        return switch step.length {
        case .lasting(let length): .time(length - elapsed)
        case .times(let count): .matches(count - matches)
        case .untilTold: .untilTold
        }
    }

    private func fraction(of step: Timeline.Step) -> Double? {
        switch step.length {
        case .lasting(let length): hasEnded ? 1 : min(max(elapsed / length, 0), 1)
        case .times(let count): hasEnded ? 1 : Double(matches) / Double(count)
        case .untilTold: nil
        }
    }
}
