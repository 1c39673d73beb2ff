/// The course of an outage: which response answers a kind of request, for how long, and then which.
///
/// "Live for 10 s, 503 three times, killed for 30 s, update required until told otherwise" has four steps.
public struct Timeline: Equatable, Sendable {
    /// One response and how long it answers.
    public struct Step: Equatable, Sendable {
        /// When a step is over.
        public enum Length: Equatable, Sendable {
            /// After this time, above zero.
            case lasting(Duration)
            /// After it has answered so many requests, at least 1.
            case times(Int)
            /// When somebody steps on.
            case untilTold
        }

        public var response: String
        public var length: Length
        /// A few words for the person who watches; empty for none.
        public var note: String

        public init(_ response: String, _ length: Length = .untilTold, note: String = "") {
            self.response = response
            self.length = length
            self.note = note
        }
    }

    /// A change of stage that an app has to show while the timeline plays. Stages are the words of a status:
    /// `unknown`, `active`, `killed`, `updateRequired`.
    public struct Expectation: Equatable, Sendable {
        public var from: String
        public var to: String
        /// The longest time since the expectation before it, or since the start for the first; nil for any.
        public var within: Duration?

        public init(from: String, to: String, within: Duration? = nil) {
            self.from = from
            self.to = to
            self.within = within
        }

        /// The words that ``from`` and ``to`` may be.
        public static let stages = ["unknown", "active", "killed", "updateRequired"]
    }

    public var name: String
    public var summary: String
    /// The kind of request that it answers.
    public var request: String
    /// At least one.
    public var steps: [Step]
    /// Whether the first step follows the last. Otherwise the last step's response goes on answering.
    public var repeats: Bool
    /// The changes of stage that it leads to, all of them, in order. Empty where nothing is claimed.
    public var expectations: [Expectation]

    public init(
        _ name: String, summary: String = "", request: String, steps: [Step], repeats: Bool = false,
        expectations: [Expectation] = []
    ) {
        self.name = name
        self.summary = summary
        self.request = request
        self.steps = steps
        self.repeats = repeats
        self.expectations = expectations
    }

    /// The time that one round takes; nil where a step ends otherwise than by time.
    public var duration: Duration? {
        steps.reduce(Optional(.zero)) { total, step in
            guard let total, case .lasting(let time) = step.length else { return nil }
            return total + time
        }
    }
}
