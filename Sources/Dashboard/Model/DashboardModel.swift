import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// The dashboard as a value: takes messages, returns effects, and draws a frame of any size.
///
/// It does not determine the app's stage. The current state comes from the manager's machine, the history from the
/// manager's reports. All text in both is sanitised.
package struct DashboardModel: Equatable, Sendable {
    /// The content between header and footer.
    enum Page: Equatable { case panes, inspector, help, services }

    let app: AppInfo
    /// The name of the status source, for people.
    let source: String
    let timeZone: TimeZone
    /// Whether a barricade replaces the server.
    let isSimulated: Bool
    /// The scenarios to pick from; nil without a barricade or with the picker disabled.
    package internal(set) var scenarios: ScenarioList?
    /// The barricade's state, also with the picker disabled.
    var known: ScenarioList

    /// All services if the program watches several, else none.
    var services = ServiceList()

    /// Whether others can read and change what the source transfers; nil without a network.
    let security: TransportSecurity?
    /// Whether only signed statuses are accepted.
    let verifies: Bool

    var machine = StageMachine()
    /// Nil without a stream.
    var stream: StreamMachine?
    /// From the publication of the last painted change of stage until its paint; nil if unknown or the clocks differ.
    var publishLatency: Duration?
    var now = MonotonicInstant()
    var date: Date
    package internal(set) var history = History()
    /// The dashboard's own texts and layout.
    var content = DashboardContent()
    var resources: [ResourceRow] = []
    /// The size of the terminal. The dashboard has it without the rows of a caption.
    var screen: Size
    /// What is presented to an audience; nil for nothing.
    package var presentation: Presentation?

    var page = Page.panes
    var focus: Pane
    var eventSelection = ListSelection()
    var transitionSelection = ListSelection()
    var scenarioCursor = 0
    /// The first visible lines of the lists that were clicked. In the others the selection is in the middle.
    var tops: [Pane: Int] = [:]
    var resourceCursor = 0
    var serviceCursor = 0
    var filter = TextFilter()
    /// The settings that the person can change while the program runs.
    package var live = LiveSettings()
    /// Whether times of day stand in place of bars and countdowns.
    package var reducesMotion: Bool {
        get { live.reducesMotion }
        set { live.reducesMotion = newValue }
    }
    /// The keys of the commands.
    package var keys = KeySettings()
    /// The first visible line of the inspector or the help page.
    var scroll = 0
    /// Drawn over everything else, including the overlay.
    var picker: ScenarioPicker?
    /// Drawn over everything else of the dashboard.
    var palette: CommandPalette?
    /// The titles of the entries that were chosen in the palette, the latest first.
    var recentEntries: [String] = []
    /// The themes to choose from.
    package var themes: [ColorTheme] = []
    /// The bookmarks of scenarios and timelines, in the order in which they were marked.
    package var bookmarks: [String] = [] {
        didSet { showBookmarks() }
    }
    /// Whether the picker is open.
    package var hasPicker: Bool { picker != nil }
    var notice: Notice?

    /// A temporary remark in the footer.
    struct Notice: Equatable {
        let text: String
        let until: MonotonicInstant
        var isProblem = false
    }

    /// - Parameters:
    ///   - security: whether others can read and change what the source transfers; nil without a network.
    ///   - verifies: whether only signed statuses are accepted.
    ///   - scenarios: the scenarios and timelines of a barricade; nil with a real server.
    ///   - hasPicker: whether the scenarios can be picked. If false, the barricade's keys are disabled.
    ///   - date: the wall clock at the start.
    ///   - timeZone: used to print wall-clock times.
    package init(
        app: AppInfo, source: String, security: TransportSecurity? = nil, verifies: Bool = false,
        scenarios: ScenarioList? = nil, hasPicker: Bool = true,
        size: Size = Size(columns: 80, rows: 24), date: Date = Date(), timeZone: TimeZone = .current
    ) {
        self.app = app
        self.source = source
        self.security = security
        self.verifies = verifies
        isSimulated = scenarios != nil
        known = scenarios ?? .empty
        let scenarios = hasPicker ? scenarios : nil
        self.scenarios = scenarios
        screen = size
        self.date = date
        self.timeZone = timeZone
        focus = scenarios == nil ? .events : .scenarios
        scenarioCursor = scenarios?.firstSelected ?? 0
    }

    /// The keys of the dashboard.
    var keyMap: KeyMap<DashboardCommand> {
        keys.dashboard(withScenarios: hasScenarios, withServices: !services.isEmpty)
    }

    /// Whether there are scenarios to pick from.
    var hasScenarios: Bool { scenarios != nil }

    /// Takes a message and returns the resulting effects, in order.
    package mutating func handle(_ message: DashboardMessage) -> [DashboardEffect] {
        switch message {
        case .key(let key): return handle(key)
        case .report(let report): history.add(report, date: date)
        case .status(let machine): self.machine = machine
        case .stream(let stream): self.stream = stream
        case .painted(let latency): publishLatency = latency
        case .clock(let now, let date): tick(now, date)
        case .barricade(let list): return follow(list)
        case .services(let list): follow(list)
        case .performed(let command, let list): return note(command, list)
        case .refused(let reason): take(problem: TextSanitizer.sanitize(reason, keepingNewlines: false, limit: 300))
        case .overlayKey(let key): return handleOverOverlay(key)
        case .content(let content): follow(content)
        case .resources(let rows): follow(rows)
        case .contentChanged(let text):
            history.log(.content(text), date: date)
            say(text, for: .seconds(6))
        case .copied(true): say("event sent to the clipboard")
        case .copied(false): sayProblem("this terminal has no clipboard that a program can reach")
        case .notice(let text): say(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300), for: .seconds(6))
        case .problem(let text): take(problem: TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300))
        case .resized(let size): screen = size
        }
        return []
    }

    private mutating func tick(_ now: MonotonicInstant, _ date: Date) {
        self.now = now
        self.date = date
        if let notice, notice.until <= now { self.notice = nil }
    }

    /// Opens the picker if there are scenarios to pick from.
    mutating func openPicker() {
        picker = picker ?? scenarios.map { ScenarioPicker($0, keys: keys) }
    }

    private mutating func take(problem text: String) {
        history.log(.remark(text), date: date)
        sayProblem(text)
    }

    /// Shows a problem in the footer for six seconds.
    mutating func sayProblem(_ text: String) {
        notice = Notice(text: text, until: now.advanced(by: .seconds(6)), isProblem: true)
    }

    /// Shows a remark in the footer, for three seconds by default.
    mutating func say(_ text: String, for time: Duration = .seconds(3)) {
        notice = Notice(text: text, until: now.advanced(by: time))
    }
}
