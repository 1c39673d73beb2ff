import Bellerophon
import Foundation
import TerminalUI

/// The dashboard as a value: messages in, effects out, and a frame for any size.
///
/// It decides nothing about the app's stage. What it shows of the present comes from the manager's machine; what it
/// remembers of the past are the manager's reports. All text in both is sanitised.
package struct DashboardModel: Equatable, Sendable {
    /// What fills the space between header and footer.
    enum Page: Equatable { case panes, inspector, help }

    let app: AppInfo
    /// Where the status comes from, as a person reads it.
    let source: String
    let timeZone: TimeZone
    /// Whether a barricade answers in the server's place.
    let isSimulated: Bool
    /// What can be picked; nil unless a barricade answers and the picker is wanted.
    package internal(set) var scenarios: ScenarioList?
    /// Where the barricade stands, the picker wanted or not.
    var known: ScenarioList

    /// Whether others can read and change what the source brings; nil where no network is asked.
    let security: TransportSecurity?
    /// Whether signed statuses only count.
    let verifies: Bool

    var machine = StageMachine()
    /// Nil where there is no stream.
    var stream: StreamMachine?
    /// From the publication of the last change of stage until it was painted; nil where the clocks can't tell.
    var publishLatency: Duration?
    var now = MonotonicInstant()
    var date: Date
    package internal(set) var history = History()
    /// What the dashboard says of itself.
    var content = DashboardContent()
    var resources: [ResourceRow] = []
    var size: Size

    var page = Page.panes
    var focus: Pane
    var eventSelection = ListSelection()
    var transitionSelection = ListSelection()
    var scenarioCursor = 0
    var resourceCursor = 0
    var filter = EventFilter()
    /// The first line of the inspector or the help page that is shown.
    var scroll = 0
    /// Open over everything else, the overlay included.
    var picker: ScenarioPicker?
    /// Whether the picker is open.
    package var hasPicker: Bool { picker != nil }
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
    ///   - security: whether others can read and change what the source brings; nil where no network is asked.
    ///   - verifies: whether signed statuses only count.
    ///   - scenarios: what a barricade has to offer; nil where a real server answers.
    ///   - hasPicker: whether there is a list to pick from. Without it the barricade's keys are left out.
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
        self.size = size
        self.date = date
        self.timeZone = timeZone
        focus = scenarios == nil ? .events : .scenarios
        scenarioCursor = scenarios?.firstSelected ?? 0
    }

    /// Whether there is a list to pick from.
    var hasScenarios: Bool { scenarios != nil }

    /// Takes a message and returns what to do about it, in order.
    package mutating func handle(_ message: DashboardMessage) -> [DashboardEffect] {
        switch message {
        case .key(let key): return handle(key)
        case .report(let report): return take(report)
        case .status(let machine): self.machine = machine
        case .stream(let stream): self.stream = stream
        case .painted(let latency): publishLatency = latency
        case .clock(let now, let date): tick(now, date)
        case .barricade(let list): return follow(list)
        case .performed(let command, let list): return note(command, list)
        case .refused(let reason): sayProblem(TextSanitizer.sanitize(reason, keepingNewlines: false, limit: 300))
        case .openPicker: openPicker()
        case .content(let content): follow(content)
        case .resources(let rows): follow(rows)
        case .contentChanged(let text):
            history.log(.content(text), date: date)
            say(text, for: .seconds(6))
        case .notice(let text): say(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300), for: .seconds(6))
        case .problem(let text): take(problem: TextSanitizer.sanitize(text, keepingNewlines: false, limit: 300))
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

    /// Does nothing where there is nothing to pick from.
    mutating func openPicker() {
        picker = picker ?? scenarios.map { ScenarioPicker($0) }
    }

    private mutating func take(problem text: String) {
        history.log(.remark(text), date: date)
        sayProblem(text)
    }

    /// Shows in the footer for six seconds that something can't be done.
    mutating func sayProblem(_ text: String) {
        notice = Notice(text: text, until: now.advanced(by: .seconds(6)), isProblem: true)
    }

    /// Shows a remark in the footer, for three seconds unless told.
    mutating func say(_ text: String, for time: Duration = .seconds(3)) {
        notice = Notice(text: text, until: now.advanced(by: time))
    }
}
