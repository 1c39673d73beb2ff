import Bellerophon
import Foundation
import TerminalUI

/// The dashboard as a value: messages in, effects out, and a frame for any size.
///
/// It decides nothing about the app's stage. What it shows of the present comes from the manager's machine; what it
/// remembers of the past are the manager's reports. All text in both is sanitised.
public struct DashboardModel: Equatable, Sendable {
    /// What fills the space between header and footer.
    enum Page: Equatable { case panes, inspector, help }

    let app: AppInfo
    /// Where the status comes from, as a person reads it.
    let source: String
    let timeZone: TimeZone
    /// The footer of the panes.
    let hints: [KeyHint]
    /// Nil unless a barricade answers.
    public internal(set) var scenarios: ScenarioList?

    var machine = StageMachine()
    var now = MonotonicInstant()
    var date: Date
    public internal(set) var history = History()
    var size: Size

    var page = Page.panes
    var focus: Pane
    var eventSelection = ListSelection()
    var transitionSelection = ListSelection()
    var scenarioCursor = 0
    var filter = EventFilter()
    /// The first line of the inspector or the help page that is shown.
    var scroll = 0
    /// Open over everything else, the overlay included.
    public internal(set) var picker: ScenarioPicker?
    /// A check is wanted as soon as the pending one ends: it was asked before the scenario changed.
    var wantsCheck = false
    var notice: Notice?

    /// A passing remark in the footer.
    struct Notice: Equatable {
        let text: String
        let until: MonotonicInstant
        var isProblem = false
    }

    /// - Parameters:
    ///   - scenarios: what a barricade has to offer; nil where a real server answers.
    ///   - date: the wall clock at the start.
    ///   - timeZone: used to print wall-clock times.
    public init(
        app: AppInfo, source: String, scenarios: ScenarioList? = nil, size: Size = Size(columns: 80, rows: 24),
        date: Date = Date(), timeZone: TimeZone = .current
    ) {
        self.app = app
        self.source = source
        self.scenarios = scenarios
        self.size = size
        self.date = date
        self.timeZone = timeZone
        hints = DashboardCommand.keys(withScenarios: scenarios != nil).joinedHints
        focus = scenarios == nil ? .events : .scenarios
        scenarioCursor = scenarios?.firstSelected ?? 0
    }

    /// Whether a barricade answers in the server's place.
    var isSimulated: Bool { scenarios != nil }

    /// Takes a message and returns what to do about it, in order.
    public mutating func handle(_ message: DashboardMessage) -> [DashboardEffect] {
        switch message {
        case .key(let key): return handle(key)
        case .report(let report): return take(report)
        case .status(let machine): self.machine = machine
        case .clock(let now, let date): tick(now, date)
        case .scenario(let request, let name): note(request: request, selected: name)
        case .openPicker: openPicker()
        case .notice(let text): say(SafeText.sanitize(text, keepingNewlines: false, limit: 300), for: .seconds(6))
        case .problem(let text): take(problem: SafeText.sanitize(text, keepingNewlines: false, limit: 300))
        case .resized(let size): self.size = size
        }
        return []
    }

    private mutating func tick(_ now: MonotonicInstant, _ date: Date) {
        self.now = now
        self.date = date
        if let notice, notice.until <= now { self.notice = nil }
    }

    private mutating func take(_ report: StatusReport) -> [DashboardEffect] {
        history.add(report, date: date)
        switch report {
        case .checkSucceeded, .checkFailed:
            defer { wantsCheck = false }
            return wantsCheck ? [.checkNow] : []
        default:
            return []
        }
    }

    private mutating func note(request: String, selected name: String) {
        scenarios?.select(name, for: request)
        history.log(.scenario(request: request, response: name), date: date)
        scenarioCursor = scenarios?.firstSelected ?? scenarioCursor
    }

    /// Does nothing where there is nothing to pick from.
    mutating func openPicker() {
        picker = picker ?? scenarios.map { ScenarioPicker($0) }
    }

    /// Selects a scenario and checks at once, or as soon as the check under way has ended.
    mutating func apply(request: String, response: String) -> [DashboardEffect] {
        note(request: request, selected: response)
        say("scenario: \(response)")
        wantsCheck = machine.pending != nil
        let select = DashboardEffect.selectScenario(request: request, response: response)
        return wantsCheck ? [select] : [select, .checkNow]
    }

    private mutating func take(problem text: String) {
        history.log(.remark(text), date: date)
        notice = Notice(text: text, until: now.advanced(by: .seconds(6)), isProblem: true)
    }

    /// Shows a remark in the footer, for three seconds unless told.
    mutating func say(_ text: String, for time: Duration = .seconds(3)) {
        notice = Notice(text: text, until: now.advanced(by: time))
    }
}
