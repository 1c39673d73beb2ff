import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// The dashboard as a value: takes messages, returns effects, and draws a frame of any size.
///
/// It does not determine an app's stage. The current state comes from each manager's machine, the history from the
/// manager's reports. All text in both is sanitised.
package struct DashboardModel: Equatable, Sendable {
    package var screen: ScreenModel
    /// The watched services, at least one.
    package internal(set) var services: [ServiceModel]
    /// The index of the service that the screen shows.
    package private(set) var opened = 0
    package var simulation: SimulationModel

    /// A dashboard that watches one service with a real server.
    package init(app: AppInfo, source: String, screen: ScreenModel) {
        self.init(services: [ServiceModel(app: app, source: source)], screen: screen)
    }

    /// - Precondition: there is at least one service.
    package init(
        services: [ServiceModel], screen: ScreenModel, simulation: SimulationModel = SimulationModel(), bookmarks: [String] = []
    ) {
        precondition(!services.isEmpty)
        self.services = services
        self.screen = screen
        self.simulation = simulation
        guard let scenarios = simulation.scenarios else { return }
        view.focus = .scenarios
        view[.scenarios].row = scenarios.firstSelected ?? 0
        self.bookmarks = bookmarks
    }

    /// The open service.
    package internal(set) var service: ServiceModel {
        get { services[opened] }
        set { services[opened] = newValue }
    }

    /// What the person has opened and selected in the open service.
    var view: ServiceView {
        get { services[opened].view }
        set { services[opened].view = newValue }
    }

    /// The bookmarks of scenarios and timelines, in the order in which they were marked.
    package var bookmarks: [String] {
        get { simulation.bookmarks }
        set {
            simulation.bookmarks = newValue
            // Puts marked items first in the lists, and unmarked ones at their own place.
            if hasScenarios { update(simulation.known) }
        }
    }

    /// The keys of the dashboard.
    var keyMap: KeyMap<DashboardCommand> {
        screen.keys.dashboard(withScenarios: hasScenarios, withServices: !screen.serviceList.isEmpty)
    }

    /// Whether there are scenarios to pick from.
    package var hasScenarios: Bool { simulation.scenarios != nil }

    /// Whether the picker is open.
    package var hasPicker: Bool { simulation.picker != nil }

    /// Takes a message and returns the resulting effects, in order.
    package mutating func handle(_ message: DashboardMessage) -> [DashboardEffect] {
        switch message {
        case .key(let key): return handle(key)
        case .report(let report, let index):
            let planDate = services[index].machine.planDate(at: screen.now)
            services[index].history.add(report, date: screen.date, planDate: planDate)
        case .status(let machine, let index): services[index].machine = machine
        case .stream(let stream, let index): services[index].stream = stream
        case .told(let notice, let index): services[index].notice = notice
        case .painted(let latency, let index): services[index].publishLatency = latency
        case .clock(let now, let date): tick(now, date)
        case .barricade(let list): return follow(list)
        case .services(let list): follow(list)
        case .performed(let command, let list): return record(command, list)
        case .overlayKey(let key): return handleOverOverlay(key)
        case .content(let content): follow(content)
        case .resources(let rows): follow(rows)
        case .contentChanged(let text):
            service.history.log(.content(text), date: screen.date)
            showNotice(text, for: .seconds(6))
        case .copied(true): showNotice("event sent to the clipboard")
        case .copied(false): showProblem("this terminal has no clipboard that a program can reach")
        case .notice(let text): showNotice(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300), for: .seconds(6))
        case .problem(let text): record(problem: TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300))
        case .resized(let size): screen.size = size
        }
        return []
    }

    /// Shows another service, with what the person had opened in it, but not the list of services.
    package mutating func show(serviceAt index: Int) {
        guard services.indices.contains(index) else { return }
        opened = index
        if listsServices { openPage(.panes) }
        leaveHiddenPane()
        view.scroll = min(view.scroll, scrollLimit)
    }

    // MARK: Content

    /// Takes new content. Moves the focus if its pane is now hidden, and limits the scroll offset.
    mutating func follow(_ content: DashboardContent) {
        screen.content = content
        leaveHiddenPane()
        view.scroll = min(view.scroll, scrollLimit)
    }

    mutating func follow(_ rows: [ResourceRow]) {
        screen.resources = rows
        for index in services.indices {
            services[index].view[.resources].row = min(services[index].view[.resources].row, max(0, rows.count - 1))
        }
        leaveHiddenPane()
    }

    mutating func leaveHiddenPane() {
        if !panes.contains(view.focus), view.focus != .inspector { view.focus = .events }
    }

    // MARK: Time and remarks

    private mutating func tick(_ now: MonotonicInstant, _ date: Date) {
        screen.now = now
        screen.date = date
        for index in services.indices {
            if let notice = services[index].view.notice, notice.until <= now { services[index].view.notice = nil }
        }
    }

    private mutating func record(problem text: String) {
        service.history.log(.remark(text), date: screen.date)
        showProblem(text)
    }

    /// Shows a problem in the footer for six seconds.
    mutating func showProblem(_ text: String) {
        view.notice = .init(text: text, until: screen.now.advanced(by: .seconds(6)), isProblem: true)
    }

    /// Shows a remark in the footer, for three seconds by default.
    mutating func showNotice(_ text: String, for time: Duration = .seconds(3)) {
        view.notice = .init(text: text, until: screen.now.advanced(by: time))
    }
}
