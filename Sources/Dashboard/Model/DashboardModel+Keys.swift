import Bellerophon
import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// Passes a key to the topmost element: the picker, the filter's text or the page.
    mutating func handle(_ key: Key) -> [DashboardEffect] {
        if key == .control("c") { return [.quit] }
        if key == .control("l") { return [.redraw] }
        if picker != nil { return handleInPicker(key) }
        if palette != nil { return handleInPalette(key) }
        if filter.isEditing, filter.handle(key) {
            eventSelection = ListSelection()
            return []
        }
        if case .mouse(let event) = key { return handle(event) }
        if let effect = openService(key) { return [effect] }
        if page == .panes, let effects = handleInPresentation(key) { return effects }
        guard let command = keyMap.action(for: key) else {
            return keys.player.action(for: key).map { perform($0) } ?? []
        }
        return page == .panes ? perform(command) : performOnPage(command)
    }

    private mutating func handleInPicker(_ key: Key) -> [DashboardEffect] {
        let size = size
        switch picker?.handle(key, size: size) {
        case .picked(let command):
            picker = nil
            return [.barricade(command)]
        case .player(let key): return perform(key)
        case .bookmarks(let command): return performAnywhere(command)
        case .closed:
            picker = nil
        case .handled, .passed, nil:
            break
        }
        return []
    }

    // MARK: Commands

    mutating func perform(_ command: DashboardCommand) -> [DashboardEffect] {
        switch command {
        case .nextPane: moveFocus(by: 1)
        case .previousPane: moveFocus(by: -1)
        case .down: move(by: 1)
        case .up: move(by: -1)
        case .pageDown: move(by: pageLength)
        case .pageUp: move(by: -pageLength)
        case .top: move(by: -History.eventLimit)
        case .bottom: move(by: History.eventLimit)
        case .apply: return open()
        case .inspect: inspect()
        case .filter: editFilter()
        case .close: closeTopmost()
        default: return performAnywhere(command)
        }
        return []
    }

    /// On the inspector's and the help page, up and down scroll; in the inspector, left and right select newer and older
    /// events.
    mutating func performOnPage(_ command: DashboardCommand) -> [DashboardEffect] {
        if page == .services { return performInServiceList(command) }
        switch command {
        case .nextPane: if page == .inspector { moveEvent(by: 1) }
        case .previousPane: if page == .inspector { moveEvent(by: -1) }
        case .down: scrollPage(by: 1)
        case .up: scrollPage(by: -1)
        case .pageDown: scrollPage(by: pageLength)
        case .pageUp: scrollPage(by: -pageLength)
        case .top: scrollPage(by: -10_000)
        case .bottom: scrollPage(by: 10_000)
        case .inspect: page == .inspector ? closeTopmost() : inspect()
        case .apply, .close, .quit: closeTopmost()
        case .filter:
            page = .panes
            editFilter()
        default: return performAnywhere(command)
        }
        return []
    }

    mutating func performAnywhere(_ command: DashboardCommand) -> [DashboardEffect] {
        switch command {
        case .checkNow: return checkNow()
        case .pickScenario: openPicker()
        case .services: listsServices ? closeTopmost() : listServices()
        case .bookmark: return toggleBookmark()
        case .nextBookmark: return pickNextBookmark()
        case .exportScenario: return [.exportScenario]
        case .copy: return copy()
        case .sync: return sync(nil)
        case .help: openPage(page == .help ? .panes : .help)
        case .exportJournal: return [.exportJournal]
        case .palette: openPalette()
        case .redraw: return [.redraw]
        case .quit: return [.quit]
        default: break
        }
        return []
    }

    private mutating func checkNow() -> [DashboardEffect] {
        if machine.pending != nil {
            say("a check is under way")
            return []
        }
        say("checking")
        return [.checkNow]
    }

    private mutating func copy() -> [DashboardEffect] {
        guard let event = inspectedEvent else { return [] }
        return [.copy(inspection(of: event).plainText)]
    }

    private mutating func editFilter() {
        if panes.contains(.events) { focus = .events }
        filter.edit()
    }

    private mutating func inspect() {
        if layout(size).hasInspectorColumn {
            focus = focus == .inspector ? .events : .inspector
        } else {
            openPage(.inspector)
        }
    }

    mutating func openPage(_ page: Page) {
        self.page = page
        scroll = 0
    }

    mutating func closeTopmost() {
        if page != .panes {
            openPage(.panes)
        } else if filter.isActive {
            filter.clear()
        } else if focus == .inspector {
            focus = .events
        }
    }

    // MARK: Movement

    /// Performs Enter: applies a scenario, plays a timeline, opens an event or a transition, or syncs a resource.
    mutating func open() -> [DashboardEffect] {
        switch focus {
        case .scenarios:
            guard let items = scenarios?.items, items.indices.contains(scenarioCursor) else { return [] }
            return [.barricade(items[scenarioCursor].command)]
        case .events: inspect()
        case .transitions: openTransition()
        case .resources:
            return resources.indices.contains(resourceCursor) ? sync(resources[resourceCursor].name) : []
        case .services: return openSelectedService()
        case .inspector, .state, .latency: break
        }
        return []
    }

    /// Selects the transition's line in the event log and inspects it.
    private mutating func openTransition() {
        let ids = history.transitions.reversed().map(\.id)
        guard !ids.isEmpty else { return }
        filter.clear()
        let events = shownEvents.map(\.id)
        guard let place = events.firstIndex(of: ids[transitionSelection.index(in: ids)]) else { return }
        eventSelection.select(place, in: events)
        focus = .events
        inspect()
    }

    mutating func moveFocus(by step: Int) {
        let ring = panes.filter(\.isFocusable)
        guard !ring.isEmpty else { return }
        let place = ring.firstIndex(of: focus) ?? -step
        focus = ring[(place + step + ring.count) % ring.count]
    }

    mutating func move(by lines: Int) {
        defer { followSelection(in: focus) }
        switch focus {
        case .scenarios:
            scenarioCursor = min(max(scenarioCursor + lines, 0), max(0, (scenarios?.items.count ?? 0) - 1))
        case .events: moveEvent(by: lines)
        case .transitions: transitionSelection.move(by: lines, in: history.transitions.reversed().map(\.id))
        case .resources: resourceCursor = min(max(resourceCursor + lines, 0), max(0, resources.count - 1))
        case .services: moveService(by: lines)
        case .inspector: scrollPage(by: lines)
        case .state, .latency: break
        }
    }

    /// Selects an older event, or a newer one if negative. The inspector shows it from its start.
    mutating func moveEvent(by lines: Int) {
        eventSelection.move(by: lines, in: shownEvents.map(\.id))
        scroll = 0
    }

    mutating func scrollPage(by lines: Int) {
        scroll = min(max(scroll + lines, 0), scrollLimit)
    }

    /// The number of lines that a page key moves by.
    var pageLength: Int { 10 }
}
