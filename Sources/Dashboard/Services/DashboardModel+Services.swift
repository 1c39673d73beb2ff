import Bellerophon
import ProgramKit
import TerminalUI

extension DashboardModel {
    /// Whether the list of all services fills the screen. No service covers it then.
    package var listsServices: Bool { page == .services }

    mutating func follow(_ list: ServiceList) {
        let isNew = services.isEmpty || services.opened != list.opened
        if services.isEmpty, focus == .events { focus = .services }
        services = list
        serviceCursor = isNew ? list.opened : min(serviceCursor, max(0, list.rows.count - 1))
    }

    mutating func listServices() {
        guard !services.isEmpty else { return }
        palette = nil
        serviceCursor = services.opened
        openPage(.services)
    }

    /// Shows the service in place of the list.
    package mutating func leaveServiceList() {
        if page == .services { openPage(.panes) }
    }

    // MARK: Keys

    /// The key that opens a service, from `1` to `9`; nil for a later one.
    static func serviceKey(of index: Int) -> Key? {
        index < 9 ? .character(Character(String(index + 1))) : nil
    }

    /// Whether a key opens a service or the list of all.
    func isServiceKey(_ key: Key) -> Bool {
        !services.isEmpty && (keyMap.action(for: key) == .services || serviceIndex(of: key) != nil)
    }

    private func serviceIndex(of key: Key) -> Int? {
        services.rows.indices.first { Self.serviceKey(of: $0) == key }
    }

    /// The effect of a key that opens a service; nil for another key.
    func openService(_ key: Key) -> DashboardEffect? {
        serviceIndex(of: key).map { .open($0) }
    }

    mutating func openSelectedService() -> [DashboardEffect] {
        services.rows.indices.contains(serviceCursor) ? [.open(serviceCursor)] : []
    }

    mutating func moveService(by lines: Int) {
        serviceCursor = min(max(serviceCursor + lines, 0), max(0, services.rows.count - 1))
    }

    mutating func performInServiceList(_ command: DashboardCommand) -> [DashboardEffect] {
        switch command {
        case .down: moveService(by: 1)
        case .up: moveService(by: -1)
        case .pageDown: moveService(by: pageLength)
        case .pageUp: moveService(by: -pageLength)
        case .top: moveService(by: -services.rows.count)
        case .bottom: moveService(by: services.rows.count)
        case .apply: return openSelectedService()
        case .checkNow:
            say("checking all services")
            return [.checkAll]
        case .close, .quit: closeTopmost()
        // What these act on is not on the screen.
        case .nextPane, .previousPane, .copy, .inspect, .filter: break
        default: return performAnywhere(command)
        }
        return []
    }

    mutating func pressInServiceList(at point: Point) -> [DashboardEffect] {
        let area = ServiceTable.rowsArea(in: layout(size).body)
        guard area.contains(point) else { return [] }
        let line = serviceTop(rows: area.rows) + point.row - area.row
        guard services.rows.indices.contains(line) else { return [] }
        defer { serviceCursor = line }
        return line == serviceCursor ? [.open(line)] : []
    }

    /// The first visible service of the page.
    func serviceTop(rows: Int) -> Int {
        ListWindow.top(selected: serviceCursor, count: services.rows.count, height: rows)
    }

    var serviceHints: [KeyHint] {
        keyMap.hint(.close, word: "back") + [KeyHint(.up, .down, word: "move")] + keyMap.hint(.apply, word: "open")
            + keyMap.hint(.checkNow, word: "check all") + keyMap.hint(.help, word: "help")
    }
}
