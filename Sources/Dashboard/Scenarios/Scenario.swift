import Barricade

/// A response that a person can pick.
package struct Scenario: Equatable, Sendable {
    /// The kind of request that it answers.
    package let request: String
    package let name: String
    package let summary: String
    /// The heading that it stands under; empty for none.
    package let group: String

    package init(request: String, name: String, summary: String, group: String = "") {
        self.request = request
        self.name = name
        self.summary = summary
        self.group = group
    }
}

/// All that can be picked and played, and what answers now, as a value.
package struct ScenarioList: Equatable, Sendable {
    /// A line that Enter acts on.
    package enum Item: Equatable, Sendable {
        /// Enter plays it.
        case timeline(Timeline)
        /// Enter lets the server answer so.
        case scenario(Scenario)
    }

    /// The timelines, then the scenarios.
    package let items: [Item]
    /// The timelines that play or are held, in the order of their requests.
    package let playbacks: [Playback]
    /// How much faster than the clock timelines run.
    package let speed: Int
    /// By request: the name of the response that answers now.
    private let answering: [String: String]

    /// The heading of the timelines.
    static let timelineGroup = "Timelines"

    /// - Parameter overruled: by request, the timelines that were left for a response picked by hand.
    package init(_ state: BarricadeState, overruled: [String: TimelinePlayer] = [:]) {
        let scenarios = state.requests.flatMap { request in
            request.choices.map { choice in
                Scenario(
                    request: request.name, name: choice.name, summary: choice.summary,
                    group: choice.group ?? (state.requests.count > 1 ? request.name : "")
                )
            }
        }
        items = state.timelines.map(Item.timeline) + scenarios.map(Item.scenario)
        playbacks = state.requests.compactMap { request in
            request.player.map { Playback($0) } ?? overruled[request.name].map { Playback($0, isOverruled: true) }
        }
        speed = state.speed
        answering = state.requests.reduce(into: [:]) { $0[$1.name] = $1.currentResponse }
    }

    /// Nothing to pick, nothing plays.
    static let empty = ScenarioList(Barricade())

    /// What a barricade has to offer now.
    package init(_ barricade: Barricade) {
        self.init(barricade.state)
    }

    /// The scenarios, in the order of the list.
    package var scenarios: [Scenario] {
        items.compactMap { item in
            if case .scenario(let scenario) = item { scenario } else { nil }
        }
    }

    /// Whether it is what the server answers now.
    package func isSelected(_ scenario: Scenario) -> Bool {
        answering[scenario.request] == scenario.name
    }

    /// A timeline's player; nil where it neither plays nor is held.
    package func playback(of timeline: Timeline) -> Playback? {
        playbacks.first { $0.timeline.name == timeline.name }
    }

    /// Where an item of another list stands in this one; nil where it is gone. New content may bring new items.
    func place(of item: Item) -> Int? {
        items.firstIndex { $0.name == item.name && $0.request == item.request && $0.group == item.group }
    }

    /// Where a list opens: at the timeline that plays, else at the first scenario that answers.
    package var firstSelected: Int? {
        let playing = items.firstIndex { item in
            if case .timeline(let timeline) = item { playback(of: timeline)?.phase == .playing } else { false }
        }
        return playing
            ?? items.firstIndex { item in
                if case .scenario(let scenario) = item { isSelected(scenario) } else { false }
            }
    }
}

extension ScenarioList.Item {
    var name: String {
        switch self {
        case .timeline(let timeline): timeline.name
        case .scenario(let scenario): scenario.name
        }
    }

    var summary: String {
        switch self {
        case .timeline(let timeline): timeline.summary
        case .scenario(let scenario): scenario.summary
        }
    }

    var group: String {
        switch self {
        case .timeline: ScenarioList.timelineGroup
        case .scenario(let scenario): scenario.group
        }
    }

    /// The kind of request that it is about.
    var request: String {
        switch self {
        case .timeline(let timeline): timeline.request
        case .scenario(let scenario): scenario.request
        }
    }

    /// What Enter does.
    var command: BarricadeCommand {
        switch self {
        case .timeline(let timeline): .play(timeline.name)
        case .scenario(let scenario): .select(request: scenario.request, response: scenario.name)
        }
    }
}
