import Barricade
import ProgramKit

/// What the user can pick: a response of the simulated server, or a timeline.
package struct Scenario: Equatable, Sendable {
    /// The name of its kind of request.
    package let request: String
    package let name: String
    package let summary: String
    /// The heading above it; empty for none.
    package let group: String
    /// What is played; nil for a response, which is selected.
    package var timeline: Timeline?

    /// The name among the bookmarks.
    package var bookmark: String { "\(request)/\(name)" }

    /// The command of Enter.
    package var command: BarricadeCommand { timeline == nil ? .select(request: request, response: name) : .play(name) }
}

/// The scenarios and timelines to choose from, and the current responses, as a value. Those that are marked come first.
package struct ScenarioList: Equatable, Sendable {
    /// The marked timelines and scenarios, then the other timelines, then the other scenarios.
    package private(set) var items: [Scenario]
    /// The number of items that are marked.
    package private(set) var bookmarkCount = 0
    /// The timelines that were started, in the order of their requests.
    package let playbacks: [Playback]
    /// How many times as fast as the clock timelines run.
    package let speed: Int
    /// Who the app is said to be, and the clock.
    package let world: SimulatedWorld
    /// The names of the current responses, by request.
    private let answering: [String: String]

    /// The heading of the timelines.
    static let timelineGroup = "Timelines"
    /// The heading of what is marked.
    static let bookmarkGroup = "Bookmarks"

    /// - Parameter overruled: the timelines that a manually selected response replaced, by request.
    package init(_ state: BarricadeState, overruled: [String: TimelinePlayer] = [:]) {
        let scenarios = state.requests.flatMap { request in
            request.responses.map { choice in
                Scenario(
                    request: request.name, name: choice.name, summary: choice.summary,
                    group: choice.group ?? (state.requests.count > 1 ? request.name : "")
                )
            }
        }
        let timelines = state.timelines.map { timeline in
            Scenario(
                request: timeline.request, name: timeline.name, summary: timeline.summary, group: Self.timelineGroup,
                timeline: timeline)
        }
        items = timelines + scenarios
        playbacks = state.requests.compactMap { request in
            request.player.map { Playback($0) } ?? overruled[request.name].map { Playback($0, isOverruled: true) }
        }
        speed = state.speed
        world = state.world
        answering = state.requests.reduce(into: [:]) { $0[$1.name] = $1.currentResponse }
    }

    private func with(_ items: [Scenario], bookmarkCount: Int) -> ScenarioList {
        var list = self
        (list.items, list.bookmarkCount) = (items, bookmarkCount)
        return list
    }

    /// The list with the items of these bookmarks first, in their order.
    package func marked(_ bookmarks: [String]) -> ScenarioList {
        let first = bookmarks.compactMap { bookmark in items.first { $0.bookmark == bookmark } }
        let rest = items.filter { !bookmarks.contains($0.bookmark) }
        return with(first + rest, bookmarkCount: first.count)
    }

    /// The heading above an item.
    package func heading(of index: Int) -> String { index < bookmarkCount ? Self.bookmarkGroup : items[index].group }

    /// The list with only the items that a text matches: their name, group or summary contains its characters in this order,
    /// the summary and the group as a whole.
    package func filtered(by text: String) -> ScenarioList {
        let pattern = FuzzyPattern(text)
        if pattern.isEmpty { return self }
        let kept = items.indices.filter { Self.score(of: items[$0], pattern, text) != nil }
        return with(kept.map { items[$0] }, bookmarkCount: kept.count { $0 < bookmarkCount })
    }

    /// The index of the item that a text matches best; nil if it matches none.
    package func bestMatch(for text: String) -> Int? {
        let pattern = FuzzyPattern(text)
        let scores = items.indices.compactMap { index in Self.score(of: items[index], pattern, text).map { (index, $0) } }
        return scores.max { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 > $1.0 }?.0
    }

    private static func score(of item: Scenario, _ pattern: FuzzyPattern, _ text: String) -> Int? {
        if let score = pattern.score(of: item.name) { return score }
        let needle = text.lowercased()
        return item.summary.lowercased().contains(needle) || item.group.lowercased().contains(needle) ? 0 : nil
    }

    /// An empty list.
    package static let empty = ScenarioList(BarricadeServer())

    /// The current list of a barricade.
    package init(_ barricade: BarricadeServer) {
        self.init(barricade.state)
    }

    /// The scenarios, in the order of the list.
    package var scenarios: [Scenario] { items.filter { $0.timeline == nil } }

    /// Whether it is the server's current response.
    package func isSelected(_ scenario: Scenario) -> Bool {
        scenario.timeline == nil && answering[scenario.request] == scenario.name
    }

    /// Whether it is a timeline that plays.
    private func isPlaying(_ scenario: Scenario) -> Bool {
        scenario.timeline.flatMap { playback(of: $0) }?.phase == .playing
    }

    /// Whether it plays or is the server's current response.
    package func isCurrent(_ scenario: Scenario) -> Bool { isPlaying(scenario) || isSelected(scenario) }

    /// The playback of a timeline; nil if it was not started.
    package func playback(of timeline: Timeline) -> Playback? {
        playbacks.first { $0.timeline.name == timeline.name }
    }

    /// The index of another list's item in this one; nil if it no longer exists. New content may bring new items.
    package func place(of item: Scenario) -> Int? {
        items.firstIndex { $0.name == item.name && $0.request == item.request && $0.group == item.group }
    }

    /// The initial position of the cursor: the timeline that plays, else the first selected scenario.
    package var firstSelected: Int? {
        items.firstIndex(where: isPlaying) ?? items.firstIndex(where: isSelected)
    }
}
