import Bellerophon
import ProgramKit
import ScenarioKit
import TerminalUI

extension DashboardModel {
    /// Passes a key to the topmost element: the picker, the filter's text or the page.
    mutating func handle(_ key: Key) -> [DashboardEffect] {
        if key == .control("c") { return [.quit] }
        if key == .control("l") { return [.redraw] }
        if simulation.picker != nil { return handleInPicker(key) }
        if screen.palette != nil { return handleInPalette(key) }
        if view.filter.isEditing, editFilter(key) { return [] }
        if case .mouse(let event) = key { return handle(event) }
        if let effect = openService(key) { return [effect] }
        if view.page == .panes, let effects = handleInPresentation(key) { return effects }
        guard let command = keyMap.action(for: key) else {
            return screen.keys.player.action(for: key).map { perform($0) } ?? []
        }
        return view.page == .panes ? perform(command) : performOnPage(command)
    }

    private mutating func handleInPicker(_ key: Key) -> [DashboardEffect] {
        let (size, subject) = (size, clientSubject)
        switch simulation.picker?.handle(key, size: size, subject) {
        case .picked(let command):
            simulation.picker = nil
            return [.barricade(command)]
        case .player(let key): return perform(key)
        case .bookmarks(let command): return performAnywhere(command)
        case .effect(let effect): return [effect]
        case .closed: simulation.picker = nil
        case .handled, nil: break
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
        if view.page == .services { return performInServiceList(command) }
        switch command {
        case .nextPane: if view.page == .inspector { EventsPane().move(by: 1, in: &self) }
        case .previousPane: if view.page == .inspector { EventsPane().move(by: -1, in: &self) }
        case .down: scrollPage(by: 1)
        case .up: scrollPage(by: -1)
        case .pageDown: scrollPage(by: pageLength)
        case .pageUp: scrollPage(by: -pageLength)
        case .top: scrollPage(by: -10_000)
        case .bottom: scrollPage(by: 10_000)
        case .inspect: view.page == .inspector ? closeTopmost() : inspect()
        case .apply, .close, .quit: closeTopmost()
        case .filter:
            if view.page == .inspector { view.focus = .events }
            view.page = .panes
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
        case .sync: return screen.resources.isEmpty ? [] : [.sync(nil)]
        case .help: openPage(view.page == .help ? .panes : .help)
        case .exportJournal: return [.exportJournal]
        case .palette: openPalette()
        case .redraw: return [.redraw]
        case .quit: return [.quit]
        default: break
        }
        return []
    }

    private mutating func checkNow() -> [DashboardEffect] {
        if service.machine.pending != nil {
            showNotice("a check is under way")
            return []
        }
        showNotice("checking")
        return [.checkNow]
    }

    private mutating func copy() -> [DashboardEffect] {
        guard let event = inspectedEvent else { return [] }
        return [.copy(inspection(of: event).plainText)]
    }

    /// Edits the filter of the pane with the focus, or of the events if that pane has no list.
    private mutating func editFilter() {
        if view.focus.content.total(in: self) == nil || !panes.contains(view.focus) { view.focus = .events }
        view.filter.edit()
    }

    /// Passes a key to the filter; another text selects the first row that it leaves. Returns false if the key has its usual
    /// meaning.
    private mutating func editFilter(_ key: Key) -> Bool {
        let before = view.filter.text
        guard view.filter.handle(key) else { return false }
        guard view.filter.text != before else { return true }
        view[view.focus].keptTop = nil
        if view.filter.isActive { view.focus.content.select(0, in: &self) }
        return true
    }

    mutating func inspect() {
        if layout(size).hasInspectorColumn {
            view.focus = view.focus == .inspector ? .events : .inspector
        } else {
            openPage(.inspector)
        }
    }

    /// Shows an event in the inspector, and selects it in the log.
    mutating func inspect(event id: Int) {
        view[.events].filter.clear()
        let events = shownEvents.map(\.id)
        guard let row = events.firstIndex(of: id) else { return }
        view[.events].record.select(row, in: events)
        view.focus = .events
        inspect()
    }

    mutating func openPage(_ page: ServiceView.Page) {
        view.filter.endEditing()
        view.page = page
        view.scroll = 0
    }

    mutating func closeTopmost() {
        if view.page != .panes {
            openPage(.panes)
        } else if view.filter.isActive {
            view.filter.clear()
        } else if view.focus == .inspector {
            view.focus = .events
        }
    }

    // MARK: Movement

    /// Performs Enter in the focused pane.
    mutating func open() -> [DashboardEffect] { view.focus.content.open(&self) }

    mutating func moveFocus(by step: Int) {
        let ring = panes.filter(\.content.isFocusable)
        guard !ring.isEmpty else { return }
        let place = ring.firstIndex(of: view.focus) ?? -step
        view.focus = ring[(place + step + ring.count) % ring.count]
    }

    mutating func move(by lines: Int) {
        defer { followSelection(in: view.focus) }
        view.focus.content.move(by: lines, in: &self)
    }

    mutating func scrollPage(by lines: Int) {
        view.scroll = min(max(view.scroll + lines, 0), scrollLimit)
    }

    /// The number of lines that a page key moves by.
    var pageLength: Int { 10 }
}
