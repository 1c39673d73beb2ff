/// A sequence of responses to a kind of request, such as the course of an outage.
///
/// "Live for 10 s, 503 three times, killed for 30 s, update required until the user continues" has four steps.
public struct Timeline: Equatable, Sendable {
    /// A response and the length of its step.
    public struct Step: Equatable, Sendable {
        /// The condition that ends a step.
        public enum Length: Equatable, Sendable {
            /// After this time, above zero.
            case lasting(Duration)
            /// After this number of requests, at least 1.
            case times(Int)
            /// Only when a caller moves to another step.
            case untilTold
        }

        /// The name of the response.
        public var response: String
        /// The condition that ends the step.
        public var length: Length
        /// A short note for a viewer; empty for none.
        public var note: String
        /// Who the app is and what time it is from the step on.
        package var setting = ScenarioSetting()

        /// Creates a step; by default it has no end of its own.
        public init(_ response: String, _ length: Length = .untilTold, note: String = "") {
            self.response = response
            self.length = length
            self.note = note
        }
    }

    /// A change of stage that an app must show while the timeline plays. Stages have the names `unknown`, `active`,
    /// `killed` and `updateRequired`.
    package struct Expectation: Equatable, Sendable {
        /// The stage before the change.
        package var from: String
        /// The stage after the change.
        package var to: String
        /// The maximum time since the previous expectation, or since the start for the first; nil for no limit.
        package var within: Duration?
        /// The id of the rule that covers the app after the change; nil for anything.
        package var by: String?

        /// Creates an expectation; by default without a time limit.
        package init(from: String, to: String, within: Duration? = nil, by: String? = nil) {
            self.from = from
            self.to = to
            self.within = within
            self.by = by
        }

        /// The valid values of ``from`` and ``to``.
        package static let stages = ["unknown", "active", "killed", "updateRequired"]
        /// The words for people, in the order of ``stages``.
        package static let words = ["unknown", "live", "paused", "update"]
        /// All names of stages that a file may use.
        package static let names = words + stages.filter { !words.contains($0) }

        /// The stage with this name, which is one of ``names``.
        static func stage(named name: String) -> String {
            words.firstIndex(of: name).map { stages[$0] } ?? name
        }

        /// Those of them that cover the app.
        package static let coveredStages = ["killed", "updateRequired"]
    }

    /// The name, unique within a barricade.
    public var name: String
    /// A description for a list; empty for none.
    public var summary: String
    /// The kind of request that the timeline is for.
    public var request: String
    /// The steps in order, at least one.
    public var steps: [Step]
    /// Whether the first step follows the last. If false, the last step's response stays in effect.
    public var repeats: Bool
    /// All changes of stage that the timeline causes, in order; empty for no expectation.
    package var expectations: [Expectation] = []
    /// Who the app is and what time it is at the start.
    package var setting = ScenarioSetting()

    /// Creates a timeline; by default it plays once.
    public init(_ name: String, summary: String = "", request: String, steps: [Step], repeats: Bool = false) {
        self.name = name
        self.summary = summary
        self.request = request
        self.steps = steps
        self.repeats = repeats
    }

    /// Creates a timeline with expectations.
    package init(
        _ name: String, summary: String = "", request: String, steps: [Step], repeats: Bool = false,
        expectations: [Expectation]
    ) {
        self.init(name, summary: summary, request: request, steps: steps, repeats: repeats)
        self.expectations = expectations
    }

    /// The time of one round; nil if a step does not end by time.
    package var duration: Duration? {
        steps.reduce(Optional(.zero)) { total, step in
            guard let total, case .lasting(let time) = step.length else { return nil }
            return total + time
        }
    }
}
