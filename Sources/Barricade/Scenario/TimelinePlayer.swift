/// Plays a timeline. A pure value: the time is a parameter, a duration since any origin that never goes back.
///
/// A sequence advances when a request is *matched*: the match itself uses up one of a step's times, so that two
/// requests at once never get the same one. Whoever shares a player puts a lock around it.
public struct TimelinePlayer: Equatable, Sendable {
    /// What a person or a script tells the player.
    public enum Event: Equatable, Sendable {
        /// Goes on, or starts anew where the timeline had ended.
        case play
        /// Holds the response that answers now; neither time nor matches move the timeline on.
        case pause
        /// Goes to the next step, playing or not.
        case step
        /// Goes to a step, counted from 0; a place that is none changes nothing.
        case jump(to: Int)
        /// Back to the start, not playing.
        case reset
        /// How much faster than the clock the timeline runs; 1 to 1000.
        case speed(Int)
    }

    public enum Phase: String, Equatable, Sendable {
        case playing, paused
        /// Over; the last step's response goes on answering.
        case ended
    }

    public let timeline: Timeline
    public private(set) var speed: Int
    /// Rounds begun, from 1; only a timeline that repeats has more than one.
    public private(set) var round = 1
    private var isPlaying = false
    private var hasEnded = false
    private var index = 0
    /// The timeline's own time since the step began.
    private var elapsed = Duration.zero
    private var matches = 0
    private var lastNow: Duration

    /// A player at the start of a timeline, not playing.
    /// - Parameter now: the present on the clock of all later calls.
    public init(_ timeline: Timeline, speed: Int = 1, at now: Duration = .zero) {
        self.timeline = timeline
        self.speed = Self.clamped(speed)
        lastNow = now
        hasEnded = timeline.steps.isEmpty
    }

    public var phase: Phase { hasEnded ? .ended : isPlaying ? .playing : .paused }

    /// Takes an event, after the time until now has passed.
    public mutating func handle(_ event: Event, at now: Duration) {
        advance(to: now)
        switch event {
        case .play:
            if hasEnded { rewind() }
            isPlaying = true
        case .pause: isPlaying = false
        case .step: goToNextStep()
        case .jump(let target): jump(to: target)
        case .reset:
            rewind()
            isPlaying = false
        case .speed(let factor): speed = Self.clamped(factor)
        }
    }

    /// Lets the time until now pass. A `now` before the last one counts as the last one.
    public mutating func advance(to now: Duration) {
        // Clamped, so that no clock can overflow the arithmetic: more than thirty thousand years.
        let passed = min(max(now - lastNow, .zero), .seconds(1_000_000_000_000)) * speed
        lastNow = max(now, lastNow)
        guard isPlaying, !hasEnded else { return }
        elapsed += passed
        skipWholeRounds()
        while case .lasting(let length) = step?.length, elapsed >= length, !hasEnded {
            let rest = elapsed - length
            goToNextStep()
            elapsed = hasEnded ? length : rest
        }
    }

    /// The response that a request gets now; the match is counted.
    /// - Returns: nil only for a timeline without steps.
    public mutating func match(at now: Duration) -> String? {
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

    /// Many rounds that end by time alone pass at once, not step by step.
    private mutating func skipWholeRounds() {
        guard timeline.repeats, let total = timeline.duration, total > .zero, elapsed >= total else { return }
        let rounds = elapsed.attosecondCount / total.attosecondCount
        elapsed -= Duration(attosecondCount: rounds * total.attosecondCount)
        round += Int(clamping: rounds)
    }

    private static func clamped(_ speed: Int) -> Int { min(max(speed, 1), 1000) }
}

// MARK: Where it stands

extension TimelinePlayer {
    /// Where a player stands, for a display. All times are the timeline's own: at ×10 they pass ten times as fast.
    public struct Position: Equatable, Sendable {
        /// What is left of a step.
        public enum Remaining: Equatable, Sendable {
            case time(Duration)
            case matches(Int)
            case untilTold
            /// Nothing: the timeline has ended.
            case nothing
        }

        /// Counts from 0.
        public let stepIndex: Int
        public let step: Timeline.Step
        /// Since the step began.
        public let elapsed: Duration
        /// Requests that the step has answered; counted only for a step that ends by count.
        public let matches: Int
        public let remaining: Remaining
        /// The part of the step that is over, 0 to 1; nil for one without an end of its own.
        public let fraction: Double?
    }

    /// Where the player stood at the last call that had a time; nil only for a timeline without steps.
    public var position: Position? {
        step.map { step in
            Position(
                stepIndex: index, step: step, elapsed: elapsed, matches: matches, remaining: remaining(in: step),
                fraction: fraction(of: step)
            )
        }
    }

    /// The time on the caller's clock until the player moves on by itself; nil where time alone moves nothing.
    public var untilNextStep: Duration? {
        guard phase == .playing, case .lasting(let length) = step?.length else { return nil }
        let left = (length - elapsed).attosecondCount
        return Duration(attosecondCount: (left + Int128(speed) - 1) / Int128(speed))
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

extension Duration {
    fileprivate var attosecondCount: Int128 {
        Int128(components.seconds) * 1_000_000_000_000_000_000 + Int128(components.attoseconds)
    }

    fileprivate init(attosecondCount count: Int128) {
        let second: Int128 = 1_000_000_000_000_000_000
        self.init(secondsComponent: Int64(clamping: count / second), attosecondsComponent: Int64(count % second))
    }
}
