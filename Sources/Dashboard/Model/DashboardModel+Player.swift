import Barricade
import Bellerophon
import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// The timeline that the player shows and its keys control.
    var shownPlayback: Playback? {
        let cursor = scenarioList.selectedRow(in: self)?.index ?? view[scenarioList.pane].row
        return simulation.scenarios?.shownPlayback(at: cursor)
    }

    // MARK: Keys over an overlay

    /// Whether a key belongs to the dashboard while an overlay is shown: those of the picker and of the presenter, those that open
    /// a service, and those of the player while a timeline is shown.
    package func takesOverOverlay(_ key: Key) -> Bool {
        if hasPicker || isPickerKey(key) || isPresenterKey(key) || isServiceKey(key) { return true }
        guard hasScenarios, let action = screen.keys.player.action(for: key) else { return false }
        return shownPlayback != nil || !action.needsTimeline
    }

    /// The hints for these keys.
    package var overlayHints: [KeyHint] {
        if simulation.presentation != nil { return Presentation.keys.hints + keyMap.hint(.pickScenario, word: "scenario") }
        let player = hasScenarios ? shownPlayback.map { screen.keys.player.hints(isPlaying: $0.phase == .playing) } ?? [] : []
        return keyMap.hint(.services, word: "services") + keyMap.hint(.pickScenario, word: "scenario") + player
    }

    private func isPickerKey(_ key: Key) -> Bool { keyMap.action(for: key) == .pickScenario }

    mutating func handleOverOverlay(_ key: Key) -> [DashboardEffect] {
        if isPickerKey(key) {
            openPicker()
            return []
        }
        if isServiceKey(key) {
            if let effect = openService(key) { return [effect] }
            defer { listServices() }
            return closePalette()
        }
        return handleInPresentation(key) ?? screen.keys.player.action(for: key).map { perform($0) } ?? []
    }

    // MARK: Keys

    mutating func perform(_ key: PlayerKey) -> [DashboardEffect] {
        guard let scenarios = simulation.scenarios else { return [] }
        switch key {
        case .speed: return [.barricade(.speed(scenarios.speed == 1 ? 10 : 1))]
        case .resetAll: return [.barricade(.reset(request: nil))]
        case .reset: return [.barricade(.reset(request: shownPlayback?.request ?? itemAtCursor?.request))]
        case .kill: return [.shortcut(.kill)]
        case .previousScenario: return [.shortcut(.previous)]
        case .playOrHold, .nextStep, .previousStep, .jump: return controlPlayer(key)
        }
    }

    /// The list with the cursor: the picker's, else the pane's.
    private var scenarioList: ScenariosPane { hasPicker ? .picker : ScenariosPane() }

    var itemAtCursor: Scenario? { scenarioList.selectedRow(in: self)?.item }

    private mutating func controlPlayer(_ key: PlayerKey) -> [DashboardEffect] {
        guard let playback = shownPlayback else {
            if key == .playOrHold, let timeline = itemAtCursor?.timeline { return [.barricade(.play(timeline.name))] }
            showProblem("no timeline plays; Enter on one plays it")
            return []
        }
        let (request, count) = (playback.request, playback.timeline.steps.count)
        switch key {
        case .nextStep: return [.barricade(.step(request: request))]
        case .previousStep: return [.barricade(.jump(to: max(0, playback.stepIndex - 1), request: request))]
        case .jump(let step) where step >= count:
            showProblem("there is no step \(step + 1); \(playback.timeline.name) has \(count)")
            return []
        case .jump(let step): return [.barricade(.jump(to: step, request: request))]
        default:
            let isPlaying = playback.phase == .playing
            if playback.phase == .ended { return [.barricade(.play(playback.timeline.name))] }
            return [.barricade(isPlaying ? .pause(request: request) : .resume(request: request))]
        }
    }

    /// The app and the time as the panel of the picker shows them.
    var clientSubject: ClientPanel.Subject {
        let machine = service.machine
        return ClientPanel.Subject(
            app: machine.app, rules: machine.document?.rulesInForce ?? [], next: machine.verdict?.next,
            reason: machine.verdict?.reason, date: screen.date, isDriven: simulation.known.world.clock.isDriven)
    }

    // MARK: Results

    /// Records that a command was performed, by a key or by a script.
    mutating func record(_ command: BarricadeCommand, _ list: ScenarioList) -> [DashboardEffect] {
        let earlier = simulation.scenarios?.playbacks ?? simulation.known.playbacks
        update(list)
        announce(command, list, earlier)
        moveCursor(command)
        return command.asksAtOnce ? [.checkAfresh] : []
    }

    /// Takes the barricade's current state. If a timeline has advanced by time, the app checks immediately, so that the step
    /// is visible from its start. If a request has advanced it, or if the new step counts requests, the app does not check:
    /// only its regular requests count there.
    mutating func follow(_ list: ScenarioList) -> [DashboardEffect] {
        let earlier = simulation.known.playbacks
        update(list)
        var asks = false
        for playback in list.playbacks {
            guard let before = earlier.first(where: { $0.timeline == playback.timeline }), before.place != playback.place
            else { continue }
            log(stepOf: playback)
            asks = asks || Self.asks(from: before, to: playback)
        }
        return asks ? [.checkAfresh] : []
    }

    private static func asks(from before: Playback, to now: Playback) -> Bool {
        guard now.phase != .ended, case .lasting? = before.player.position?.step.length else { return false }
        if case .times? = now.player.position?.step.length { return false }
        return true
    }

    mutating func update(_ list: ScenarioList) {
        simulation.known = list
        let list = list.marked(simulation.bookmarks)
        if let before = simulation.scenarios {
            for pane in [Pane.scenarios, .picker] {
                let row = view[pane].row
                let kept = before.items.indices.contains(row) ? list.place(of: before.items[row]) : nil
                view[pane].row = min(kept ?? row, max(0, list.items.count - 1))
            }
            simulation.scenarios = list
        }
    }

    private mutating func announce(_ command: BarricadeCommand, _ list: ScenarioList, _ earlier: [Playback]) {
        switch command {
        case .select(let request, let response):
            service.history.log(.scenario(request: request, response: response), date: screen.date)
            announcePick(response, list.playbacks.first { $0.request == request && $0.phase == .overruled }, earlier)
        case .play(let name): announce("\(name): plays", logged: list.playbacks.first { $0.timeline.name == name })
        case .resume: announce("continues", list)
        case .pause: announce("on hold", list)
        case .step, .jump:
            for playback in list.playbacks { log(stepOf: playback) }
            if let playback = shownPlayback ?? list.playbacks.first { showNotice(Self.text(ofStep: playback)) }
        case .speed(let factor): showNotice("speed ×\(factor)")
        case .reset(let request):
            service.history.log(.timeline("reset" + (request.map { ": \($0)" } ?? "")), date: screen.date)
            showNotice("reset to the default response")
        case .client(let change): announce("the app says: \(Self.text(of: change))", logged: nil)
        case .moveTime, .setTime: announce("the simulated time was changed", logged: nil)
        case .resetClient: announce("the app and the time are the real ones", logged: nil)
        }
    }

    private mutating func announcePick(_ response: String, _ overruled: Playback?, _ earlier: [Playback]) {
        guard let overruled else { return showNotice("scenario: \(response)") }
        let name = overruled.timeline.name
        showNotice("scenario: \(response); \(name) is on hold, p continues")
        if earlier.first(where: { $0.timeline == overruled.timeline })?.phase != .overruled {
            service.history.log(.timeline("\(name): on hold, picked by hand"), date: screen.date)
        }
    }

    private mutating func announce(_ text: String, logged playback: Playback?) {
        showNotice(text)
        service.history.log(.timeline(text), date: screen.date)
        if let playback { log(stepOf: playback) }
    }

    private mutating func announce(_ word: String, _ list: ScenarioList) {
        guard let name = (shownPlayback ?? list.playbacks.first)?.timeline.name else { return }
        announce("\(name): \(word)", logged: nil)
    }

    private mutating func log(stepOf playback: Playback) {
        service.history.log(.timeline(Self.text(ofStep: playback)), date: screen.date)
    }

    /// `version 1.5.2, os not known`
    private static func text(of change: ClientChange) -> String {
        let named = [("version", change.version), ("osVersion", change.osVersion), ("installID", change.installID)]
            .compactMap { name, fact in fact.map { (name, $0) } }
        let facts = (named + change.facts.sorted { $0.key < $1.key }).map { "\($0.0) \($0.1.text ?? "not known")" }
        return TextSanitizer.sanitize(facts.joined(separator: ", "), keepingNewlines: false, limit: 200)
    }

    /// `step 2/4: paused, 30s`
    private static func text(ofStep playback: Playback) -> String {
        if playback.phase == .ended { return "\(playback.timeline.name) has ended" }
        let steps = playback.timeline.steps
        guard let step = playback.player.position?.step else { return playback.timeline.name }
        let name = playback.shortName(of: step)
        return "step \(playback.stepIndex + 1)/\(steps.count): \(name), \(PlayerPanel.text(of: step.length))"
    }

    /// Moves the cursor to the item of the last command, from a key or a script.
    private mutating func moveCursor(_ command: BarricadeCommand) {
        guard let list = simulation.scenarios else { return }
        if let place = list.items.firstIndex(where: { $0.command == command }) { view[.scenarios].row = place }
        if case .reset = command { view[.scenarios].row = list.firstSelected ?? view[.scenarios].row }
    }
}

extension BarricadeCommand {
    /// Whether the app checks immediately afterwards, so that the effect is visible.
    var asksAtOnce: Bool {
        switch self {
        // A reply with the new time counts at once.
        case .select, .play, .resume, .step, .jump, .reset, .moveTime, .setTime, .resetClient: true
        // The app decides again by itself.
        case .pause, .speed, .client: false
        }
    }
}
