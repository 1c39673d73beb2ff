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
        if view.filter.isEditing, editFilter(key, of: view.focus) { return [] }
        if case .mouse(let event) = key { return handle(event) }
        if let effect = openService(key) { return [effect] }
        if view.page == .panes, let effects = handleInPresentation(key) { return effects }
        if let command = keyMap.action(for: key) { return perform(command) }
        return screen.keys.player.action(for: key).map { perform($0) } ?? []
    }

    // MARK: Commands

    /// On a page, up and down scroll; in the inspector, left and right select newer and older events.
    mutating func perform(_ command: DashboardCommand) -> [DashboardEffect] {
        switch (command, view.page) {
        case (.down, _): move(by: 1)
        case (.up, _): move(by: -1)
        case (.pageDown, _): move(by: 10)
        case (.pageUp, _): move(by: -10)
        case (.top, _): move(by: -10_000)
        case (.bottom, _): move(by: 10_000)
        case (.nextPane, .panes): moveFocus(by: 1)
        case (.previousPane, .panes): moveFocus(by: -1)
        case (.nextPane, .inspector): EventsPane().move(by: 1, in: &self)
        case (.previousPane, .inspector): EventsPane().move(by: -1, in: &self)
        case (.apply, .panes): return view.focus.content.open(&self)
        case (.apply, .services): return [.open(view[.services].row)]
        case (.checkNow, .services):
            showNotice("checking all services")
            return [.checkAll]
        // What these act on is not on the screen.
        case (.nextPane, _), (.previousPane, _), (.copy, .services), (.inspect, .services), (.filter, .services): break
        case (.quit, .panes): return [.quit]
        case (.inspect, .inspector), (.services, .services), (.close, _), (.apply, _), (.quit, _): closeTopmost()
        case (.inspect, _): inspect()
        case (.services, _): listServices()
        case (.filter, let page):
            if page == .inspector { view.focus = .events }
            view.page = .panes
            editFilter()
        case (.checkNow, _): return checkNow()
        case (.pickScenario, _): openPicker()
        case (.bookmark, _): return toggleBookmark()
        case (.nextBookmark, _): return pickNextBookmark()
        case (.exportScenario, _): return [.exportScenario]
        case (.copy, _): return copy()
        case (.sync, _): return screen.resources.isEmpty ? [] : [.sync(nil)]
        case (.help, let page): openPage(page == .help ? .panes : .help)
        case (.exportJournal, _): return [.exportJournal]
        case (.palette, _): openPalette()
        case (.redraw, _): return [.redraw]
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

    /// Passes a key to a list's filter; another text selects the first row that it leaves, in the picker the best match. Returns
    /// false if the key has its usual meaning.
    mutating func editFilter(_ key: Key, of pane: Pane) -> Bool {
        let before = view[pane].filter.text
        guard view[pane].filter.handle(key) else { return false }
        let text = view[pane].filter.text
        guard text != before else { return true }
        view[pane].keptTop = nil
        let best = pane == .picker ? ScenariosPane.picker.list(self).bestMatch(for: text) : nil
        if view[pane].filter.isActive { pane.content.select(best ?? 0, in: &self) }
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

    mutating func moveFocus(by step: Int) {
        let ring = panes.filter(\.content.isFocusable)
        guard !ring.isEmpty else { return }
        let place = ring.firstIndex(of: view.focus) ?? -step
        view.focus = ring[(place + step + ring.count) % ring.count]
    }

    /// Moves in the pane with the focus, or on the page.
    mutating func move(by lines: Int) {
        switch view.page {
        case .panes:
            view.focus.content.move(by: lines, in: &self)
            if view[view.focus].keptTop != nil { keepTop(of: view.focus) }
        case .services:
            view[.services].row = min(max(view[.services].row + lines, 0), max(0, screen.serviceList.rows.count - 1))
        case .inspector, .help: scrollPage(by: lines)
        }
    }

    mutating func scrollPage(by lines: Int) {
        view.scroll = min(max(view.scroll + lines, 0), scrollLimit)
    }
}
