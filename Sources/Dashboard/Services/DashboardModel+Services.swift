import Bellerophon
import ProgramKit
import TerminalUI

extension DashboardModel {
    /// Whether the list of all services fills the screen. No service covers it then.
    package var listsServices: Bool { view.page == .services }

    /// The list of all services, as the screen is to show it.
    package var watched: ServiceList {
        ServiceList(rows: services.map { $0.row(at: screen.now, glyphs: screen.live.glyphs) }, opened: opened)
    }

    mutating func follow(_ list: ServiceList) {
        let isNew = screen.serviceList.isEmpty || screen.serviceList.opened != list.opened
        if screen.serviceList.isEmpty {
            for index in services.indices where services[index].view.focus == .events { services[index].view.focus = .services }
        }
        screen.serviceList = list
        view[.services].row = isNew ? list.opened : min(view[.services].row, max(0, list.rows.count - 1))
    }

    mutating func listServices() {
        guard !screen.serviceList.isEmpty else { return }
        view[.services].row = screen.serviceList.opened
        openPage(.services)
    }

    // MARK: Keys

    /// The key that opens a service, from `1` to `9`; nil for a later one.
    static func serviceKey(of index: Int) -> Key? {
        index < 9 ? .character(Character(String(index + 1))) : nil
    }

    /// Whether a key opens a service or the list of all.
    func isServiceKey(_ key: Key) -> Bool {
        !screen.serviceList.isEmpty && (keyMap.action(for: key) == .services || openService(key) != nil)
    }

    /// The effect of a key that opens a service; nil for another key.
    func openService(_ key: Key) -> DashboardEffect? {
        screen.serviceList.rows.indices.first { Self.serviceKey(of: $0) == key }.map { .open($0) }
    }

    mutating func pressInServiceList(at point: Point) -> [DashboardEffect] {
        let area = ServiceTable.rowsArea(in: layout(size).body)
        guard area.contains(point) else { return [] }
        let line = serviceTop(rows: area.rows) + point.row - area.row
        guard screen.serviceList.rows.indices.contains(line) else { return [] }
        defer { view[.services].row = line }
        return line == view[.services].row ? [.open(line)] : []
    }

    /// The first visible service of the page.
    func serviceTop(rows: Int) -> Int {
        ListWindow.top(selected: view[.services].row, count: screen.serviceList.rows.count, height: rows)
    }

    var serviceHints: [KeyHint] {
        keyMap.hint(.close, word: "back") + [KeyHint(.up, .down, word: "move")] + keyMap.hint(.apply, word: "open")
            + keyMap.hint(.checkNow, word: "check all") + keyMap.hint(.help, word: "help")
    }
}
