import Barricade
import Bellerophon
import BellerophonBase
import TerminalUI

/// What a person types in a demo without a screen. A value: a line goes in, effects come out. It has no clock and no server.
///
/// It also says what has become of the timelines that play, once for each change.
package struct DemoDialog: Equatable, Sendable {
    package enum Effect: Equatable, Sendable {
        /// Says lines at once.
        case say([String])
        /// Sends a request to the simulated server, and has the status checked.
        case perform(ControlRequest)
    }

    /// What was last said of the timelines, by name.
    private var told: [String: Playback] = [:]
    /// Whether `next` and `back` belong to a presentation.
    private let isPresented: Bool

    /// - Parameter isPresented: whether a timeline is presented, which has its own words for the next step and the one before.
    package init(isPresented: Bool = false) {
        self.isPresented = isPresented
    }

    // MARK: Words

    /// The words with their meaning, for people.
    package var help: [String] {
        let steps = isPresented ? [] : ["next, back: go to the next step of the timeline, or to the step before"]
        return [
            "list: name the timelines and the first scenarios, with numbers",
            "list all, or list and a word: name all, or those that the word describes",
            "a number or a name from the list: pick the scenario, or play the timeline",
            "kill: the server pauses the service",
            "update: the server requires an update",
            "restore: the server lets the app run",
            "pause: hold the timeline",
            "play: go on with the timeline",
        ] + steps + [
            "stop: end the timeline",
            "speed 10: play ten times as fast; speed 1: as fast as the clock",
        ]
    }

    /// The line that says what can be typed. It is said once, at the beginning.
    package static let invitation =
        "Type a word and Enter: list, kill, update, restore, status, help or q. A number from the list picks it."

    /// The answer to a line that has no meaning.
    package static func unknown(_ line: String) -> String {
        let text = TextSanitizer.sanitize(line, keepingNewlines: false, limit: 40)
        let hint = EditDistance.nearest(to: text, among: words).map { " (did you mean \"\($0)\"?)" } ?? ""
        return "there is no \"\(text)\"\(hint); type list, a number from it, kill, update, restore, status, help or q"
    }

    private static let words = [
        "list", "kill", "update", "restore", "pause", "play", "next", "back", "stop", "speed", "status", "check", "help", "quit",
    ]

    // MARK: Lines

    /// What a line causes; nil if it is not for the simulated server.
    package func effects(of line: String, _ list: ScenarioList) -> [Effect]? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first?.lowercased() else { return isPresented ? nil : [.say([Self.invitation])] }
        let rest = words.dropFirst().joined(separator: " ")
        switch (first, rest.isEmpty) {
        case ("list", _): return [.say(Self.lines(list, about: rest))]
        case ("kill", true): return [.perform(.shortcut(.reach(.killed)))]
        case ("update", true): return [.perform(.shortcut(.reach(.updateRequired)))]
        case ("restore", true): return [.perform(.shortcut(.reach(.active)))]
        case ("pause", true):
            guard !list.playbacks.isEmpty else { return [.say(["no timeline plays; kill pauses the service"])] }
            return [.perform(.tell(.pause(request: nil)))]
        case ("play", true): return [.perform(.tell(.resume(request: nil)))]
        case ("next", true), ("n", true): return isPresented ? nil : [.perform(.tell(.step(request: nil)))]
        case ("back", true), ("b", true): return isPresented ? nil : [.perform(.tell(Self.stepBack(list)))]
        case ("stop", true): return [.perform(.tell(.reset(request: nil)))]
        case ("speed", _):
            guard let factor = Int(rest), (1...1000).contains(factor) else {
                return [.say(["give a speed from 1 to 1000: speed 10"])]
            }
            return [.perform(.tell(.speed(factor)))]
        case ("play", false), ("pick", false): return Self.pick(rest, list) ?? [.say([Self.noItem(rest, list)])]
        default: return Self.pick(words.joined(separator: " "), list)
        }
    }

    private static func stepBack(_ list: ScenarioList) -> BarricadeCommand {
        let playback = list.playbacks.first
        return .jump(to: max(0, (playback?.stepIndex ?? 0) - 1), request: playback?.request)
    }

    /// Picks by number or name; nil for a text that is neither.
    private static func pick(_ text: String, _ list: ScenarioList) -> [Effect]? {
        if let number = Int(text) {
            guard list.items.indices.contains(number - 1) else { return [.say([noItem(text, list)])] }
            return [.perform(.tell(list.items[number - 1].command))]
        }
        let named = list.items.first { $0.name.lowercased() == text.lowercased() }
        return named.map { [.perform(.tell($0.command))] }
    }

    private static func noItem(_ text: String, _ list: ScenarioList) -> String {
        if Int(text) != nil { return "there is no number \(text); the list has 1 to \(list.items.count)" }
        let hint = EditDistance.nearest(to: text, among: list.items.map(\.name)).map { "; did you mean \"\($0)\"?" }
        let name = TextSanitizer.sanitize(text, keepingNewlines: false, limit: 40)
        return "nothing in the list is named \"\(name)\"\(hint ?? "; type list all to hear every name")"
    }

    // MARK: The list

    /// More items than are read out without being asked for.
    private static let manyItems = 20

    private static func lines(_ list: ScenarioList, about topic: String) -> [String] {
        let all = Array(list.items.enumerated())
        let groups = all.map(\.element.group).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        if topic.isEmpty, all.count > manyItems, groups.count > 2 {
            let rest = groups.dropFirst(2).map { group in "\(group) (\(all.count { $0.element.group == group }))" }
            let first = all.filter { groups.prefix(2).contains($0.element.group) }
            return lines(first, in: list) + ["More, to hear with list and a word of it: \(rest.joined(separator: ", "))."]
        }
        guard !topic.isEmpty, topic.lowercased() != "all" else { return lines(all, in: list) }
        let found = all.filter { _, item in
            [item.name, item.summary, item.group].contains { $0.lowercased().contains(topic.lowercased()) }
        }
        return found.isEmpty
            ? ["nothing in the list is about \"\(topic)\"; type list all to hear every name"] : lines(found, in: list)
    }

    /// `9 live: the app may run (now)`, below the headings of the groups.
    private static func lines(_ items: [(offset: Int, element: Scenario)], in list: ScenarioList) -> [String] {
        var group: String?
        return items.flatMap { index, item in
            defer { group = item.group }
            let heading = group == item.group || item.group.isEmpty ? [] : ["\(item.group):"]
            let summary = item.summary.isEmpty ? "" : ": \(item.summary)"
            return heading + ["\(index + 1) \(item.name)\(summary)\(mark(item, in: list))"]
        }
    }

    private static func mark(_ item: Scenario, in list: ScenarioList) -> String {
        if list.isSelected(item) { return " (now)" }
        return item.timeline.flatMap { list.playback(of: $0) }.map { " (\(PlayerLook($0.phase).word))" } ?? ""
    }

    // MARK: What has happened

    /// What a command has done, in lines; empty if the news of the timelines say it.
    package func answer(to command: BarricadeCommand, _ list: ScenarioList) -> [String] {
        switch command {
        case .select(let request, let response):
            let summary = list.scenarios.first { $0.request == request && $0.name == response }?.summary ?? ""
            return ["the server replies: \(response)" + (summary.isEmpty ? "" : ", \(summary)")]
        case .play(let name): return ["playing \(name)"]
        case .reset: return list.scenarios.first(where: list.isSelected).map { ["the server replies: \($0.name)"] } ?? []
        case .speed(let factor): return [factor == 1 ? "as fast as the clock" : "\(factor) times as fast as the clock"]
        case .resume, .pause, .step, .jump, .client, .moveTime, .setTime, .resetClient: return []
        }
    }

    /// What has changed at the timelines since the last call.
    package mutating func news(_ list: ScenarioList) -> [String] {
        let gone = told.keys.filter { name in !list.playbacks.contains { $0.timeline.name == name } }
        for name in gone { told[name] = nil }
        return gone.sorted().map { "\($0) was ended" } + list.playbacks.compactMap { news($0) }
    }

    private mutating func news(_ playback: Playback) -> String? {
        let name = playback.timeline.name
        let before = told.updateValue(playback, forKey: name)
        guard playback.place != before?.place || playback.phase != before?.phase else { return nil }
        let step = "step \(playback.stepIndex + 1) of \(playback.timeline.steps.count)"
        switch playback.phase {
        case .ended: return "\(name) has ended; its last reply stays"
        case .overruled: return "\(name) waits at \(step); play goes on with it"
        case .held where before?.place == playback.place: return "on hold at \(step); play goes on"
        case .playing, .held: return "\(step): \(playback.caption)"
        }
    }
}
