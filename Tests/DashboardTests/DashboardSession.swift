import Barricade
import BellerophonBase
import Foundation
import Synchronization
import TerminalUI
import TestSupport

@testable import Bellerophon
@testable import Dashboard
@testable import ProgramKit
@testable import ScenarioKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A simulated user's dashboard: a real stage machine, replies set by the test, and a clock that only the test
/// advances.
struct DashboardSession {
    /// Changed by the production code only.
    var model: DashboardModel
    private(set) var machine: StageMachine
    /// What the dashboard has had done, in order.
    private(set) var effects: [DashboardEffect] = []
    /// Why no file and no clipboard can be written; nil if they can.
    var problem: String?
    /// The services whose checks it has requested.
    private(set) var checked: [Int] = []
    private(set) var now = MonotonicInstant()
    private(set) var date = Date(timeIntervalSince1970: 1_709_992_800)  // 2024-03-09 14:00:00 UTC
    /// The last timer of each kind.
    private var timers: [StageMachine.TimerKind: Int] = [:]
    private var timerDue: (id: Int, at: MonotonicInstant)?
    private var generator = Halfway()
    private var stream: StreamMachine?
    private var connection = 0
    private var pending: Int?
    private var driver: BarricadeDriver
    private let facts: AppFacts
    private var world = SimulatedWorld()
    private let clock: SharedTime
    private let request: URLRequest

    /// The session's clock, for the barricade.
    private final class SharedTime: Sendable {
        let now = Mutex(Duration.zero)
    }

    init(
        isSimulated: Bool = true, hasPicker: Bool = true, timelines: [Timeline] = [],
        size: Size = Size(columns: 80, rows: 24),
        freshness: FreshnessPolicy = FreshnessPolicy(), source: String = "demo.local/status", security: TransportSecurity? = nil,
        verifies: Bool = false
    ) {
        let clock = SharedTime()
        let start = date
        let barricade = BarricadeServer(
            clock: { clock.now.withLock(\.self) }, wallClock: { start + clock.now.withLock { $0 / .seconds(1) } })
        barricade.register(ScenarioFile(requests: StatusScenarios.file.requests, timelines: timelines))
        (self.clock, request) = (clock, URLRequest(url: URL(filePath: "/status")))
        driver = BarricadeDriver(barricade)
        let app = AppInfo(name: "example", version: "1.4.0")
        model = DashboardModel(
            services: [ServiceModel(app: app, source: source, security: security, verifies: verifies)],
            screen: ScreenModel(size: size, date: date, timeZone: .gmt),
            simulation: SimulationModel(isSimulated ? driver.list : nil, hasPicker: hasPicker))
        // Nothing of the machine that runs the tests.
        facts = AppFacts(version: "1.4.0", osVersion: "24.04", installID: "tester-0", values: ["os": "linux", "arch": "x86_64"])
        machine = StageMachine(policy: PollPolicy(), freshness: freshness, app: facts)
        sync()
    }

    // MARK: Events

    mutating func start() { handle(.checkRequested(.start)) }

    mutating func reply(
        _ stage: Stage, interval: Double = 15, message: String? = nil, latency: Int = 41, bytes: Int = 96,
        requiredVersion: String? = nil, proof: StatusProof? = nil
    ) {
        guard let id = pending else { return }
        let document = StatusDocument(
            isInactive: stage == .killed, requiresUpdate: stage == .updateRequired, interval: interval, message: message,
            requiredVersion: requiredVersion, link: requiredVersion == nil ? nil : "https://example.com/get"
        )
        let body =
            #"{"apiInactive":\#(stage == .killed),"forceUpdate":\#(stage == .updateRequired),"retryInterval":\#(interval)}"#
        let metadata = ExchangeMetadata(
            httpStatus: 200, latency: .milliseconds(latency), bytes: bytes, excerpt: body, proof: proof)
        handle(.replied(id, StatusReply(document, metadata: metadata)))
    }

    /// Completes the check in progress with this document, sent at the session's time.
    mutating func reply(_ text: String, hasDate: Bool = true) throws {
        guard let id = pending else { return }
        var metadata = ExchangeMetadata(httpStatus: 200, latency: .milliseconds(41), bytes: text.utf8.count, excerpt: text)
        metadata.serverDate = hasDate ? date : nil
        var reply = StatusReply(try StatusDocument(json: Data(text.utf8)), metadata: metadata)
        reply.receivedOn = date
        handle(.replied(id, reply))
    }

    /// Fires the timer for the next phase of a rule.
    mutating func planTimerFires() { if let id = timers[.plan] { handle(.timerFired(id)) } }

    /// Completes the check in progress with a document that has these rules, dated by the simulated clock.
    mutating func reply(rules: String) {
        let text = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"rules":\#(rules)}"#
        guard let id = pending, let document = try? StatusDocument(json: Data(text.utf8)) else { return }
        var metadata = ExchangeMetadata(httpStatus: 200, latency: .milliseconds(41), bytes: text.utf8.count, excerpt: text)
        metadata.serverDate = driver.barricade.date
        handle(.replied(id, StatusReply(document, metadata: metadata)))
    }

    mutating func fail(_ reason: StatusError.Reason = .timedOut(after: .seconds(10)), metadata: ExchangeMetadata? = nil) {
        guard let id = pending else { return }
        handle(.failed(id, StatusError(reason, metadata: metadata)))
    }

    /// Lets time pass. A check starts when it is due and waits for a reply.
    mutating func wait(_ seconds: Double) {
        let end = now.advanced(by: .seconds(seconds))
        while let due = timerDue, due.at <= end, pending == nil {
            tick(to: due.at)
            timerDue = nil
            handle(.timerFired(due.id))
        }
        tick(to: end)
    }

    /// Lets time pass until the next check starts.
    mutating func untilCheck() {
        guard pending == nil, let due = timerDue else { return }
        wait(now.duration(to: due.at).inSeconds)
    }

    mutating func suspend() { handle(.suspended) }

    /// Restores the status of an earlier run, or none, before the first check.
    mutating func begin(with kept: RestoredStatus? = nil) { handle(kept.map { .restored($0) } ?? .nothingKept) }

    /// Fires the timer for the status's age.
    mutating func ageTimerFires() { if let id = timers[.age] { handle(.timerFired(id)) } }

    /// The status reaches its maximum age, and the check that follows fails.
    mutating func growsStale() {
        ageTimerFires()
        fail()
    }

    // MARK: The stream

    /// Switches polling off, so that only the stream is left.
    mutating func onlyListens() { handle(.pollingChanged(.off)) }

    /// The stream becomes live: the server accepts and sends a first event.
    mutating func streamOpens() {
        listen(stream == nil || stream?.state == .off ? .started : .restarted(isFresh: false))
        listen(.signal(connection, .opened(heartbeat: .seconds(15))))
        listen(.signal(connection, .heartbeat))
        if machine.polling != .off { handle(.pollingChanged(.resting)) }
    }

    mutating func heartbeat() { listen(.signal(connection, .heartbeat)) }

    mutating func streamFalls(_ failure: StreamError = .ended) {
        listen(.signal(connection, .closed(StatusError(.stream(failure)))))
        if machine.polling != .off { handle(.pollingChanged(.regular)) }
    }

    /// The stream delivers a status, painted this many milliseconds after its publication.
    mutating func push(_ stage: Stage, message: String? = nil, paintedAfter milliseconds: Int = 12) {
        let document = StatusDocument(
            isInactive: stage == .killed, requiresUpdate: stage == .updateRequired, interval: 15, message: message
        )
        let metadata = ExchangeMetadata(
            bytes: 131, excerpt: "{}", isPushed: true, eventID: "42-9f3c02ab", publishedAt: date - Double(milliseconds) / 1000
        )
        handle(.pushed(StatusReply(document, metadata: metadata)))
        send(.painted(sincePublished: PublishLatency.between(metadata.publishedAt, and: date)))
    }

    mutating func streamSays(_ name: String, _ json: String) {
        send(.report(.stream(.event(StreamEvent(name: name, data: Data(json.utf8))))))
    }

    private mutating func listen(_ event: StreamMachine.Event) {
        var machine = stream ?? StreamMachine()
        let actions = machine.handle(event, at: now, using: &generator)
        stream = machine
        for case .connect(let id, _) in actions { connection = id }
        sync()
        for case .report(let report) in actions { send(.report(.stream(report))) }
    }

    mutating func press(_ keys: Key...) {
        for key in keys { send(.key(key)) }
    }

    mutating func type(_ text: String) {
        for character in text { send(.key(.character(character))) }
    }

    /// Types a text for the filter of the pane with the focus.
    mutating func filter(_ text: String) {
        press(.character("/"))
        type(text)
    }

    /// Types a text in the palette.
    mutating func search(_ text: String) {
        press(.character(":"))
        type(text)
    }

    /// Performs what the palette finds first by a text.
    mutating func choose(_ text: String) {
        search(text)
        press(.enter)
    }

    mutating func click(column: Int, row: Int) {
        send(.key(.mouse(MouseEvent(.press, at: Point(column: column, row: row)))))
    }

    /// Gives the focus to a pane, by its key.
    mutating func focus(_ pane: Pane) {
        for _ in Pane.all where model.view.focus != pane { press(.tab) }
    }

    /// Presents a timeline, which waits for the presenter.
    mutating func present(_ timeline: Timeline) {
        model.simulation.presentation = Presentation(timeline)
        script(.play(timeline.name))
        script(.pause(request: timeline.request))
    }

    mutating func resize(_ columns: Int, _ rows: Int) { send(.resized(Size(columns: columns, rows: rows))) }

    mutating func send(_ message: DashboardMessage) { deliver(message) }

    /// Performs a command of a script.
    mutating func script(_ command: BarricadeCommand) { perform(command) }

    /// Completes the check in progress with the reply of the simulated server.
    mutating func answer() {
        guard pending != nil else { return }
        let name = driver.barricade.answer(to: request).responseName ?? ""
        if model.simulation.isSimulated { send(.barricade(driver.list)) }
        switch name {
        case "live": reply(.active, interval: 8)
        case "update required": reply(.updateRequired, interval: 10, requiredVersion: "1.5.2")
        case let name where name.hasPrefix("paused"): reply(.killed, interval: 6, message: "Back soon.")
        default: fail(.httpStatus(503))
        }
    }

    /// Lets time pass while a timeline plays; every check gets its reply immediately.
    mutating func play(_ seconds: Int) {
        for _ in 0..<seconds * 5 {
            wait(0.2)
            answer()
        }
    }

    // MARK: Output

    /// The effects since the last call.
    mutating func takeEffects() -> [DashboardEffect] {
        defer { effects = [] }
        return effects
    }

    func frame() -> Frame { model.frame(size: model.screen.size) }
    var screen: String { frame().text }
    var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    var footer: String { lines.last ?? "" }
    var header: String { lines.first ?? "" }

    /// The lines that contain a text.
    func lines(with text: String) -> [String] { lines.filter { $0.contains(text) } }

    // MARK: Machinery

    private mutating func tick(to instant: MonotonicInstant) {
        date += now.duration(to: instant).inSeconds
        now = instant
        clock.now.withLock { $0 = MonotonicInstant().duration(to: instant) }
        sync()
        if model.simulation.isSimulated { send(.barricade(driver.list)) }
    }

    private mutating func handle(_ event: StageMachine.Event) {
        let actions = machine.handle(event, at: now, using: &generator)
        for action in actions {
            switch action {
            case .fetch(let id): pending = id
            case .abandon: pending = nil
            case .startTimer(.check, let id, let wait): timerDue = (id, now.advanced(by: wait))
            case .stopTimer(.check): timerDue = nil
            case .startTimer(let kind, let id, _): timers[kind] = id
            default: break
            }
        }
        switch event {
        case .replied, .failed: pending = nil
        default: break
        }
        sync()
        for case .report(let report) in actions { send(.report(report)) }
    }

    private mutating func sync() {
        send(.clock(now: now, date: driver.barricade.date))
        send(.status(machine))
        send(.stream(stream))
    }
}

/// The world around the dashboard of a test: it has a clock, a simulated server, and nothing else.
extension DashboardSession: DashboardHost {
    mutating func modelDidChange() {}

    mutating func carryOut(_ effect: DashboardEffect) {
        effects.append(effect)
        switch effect {
        case .checkNow, .checkAll:
            checked += effect == .checkAll ? Array(model.services.indices) : [model.opened]
            handle(.checkRequested(.person))
        case .checkAfresh: handle(.freshCheckRequested(.person))
        default: break
        }
    }

    mutating func run(_ command: BarricadeCommand) throws(BarricadeError) -> ScenarioList? {
        effects.append(.barricade(command))
        try driver.perform(command)
        followWorld()
        return driver.list
    }

    /// Makes the app who the simulation says it is, at its time.
    private mutating func followWorld() {
        let before = world
        world = driver.barricade.world
        if world.client != before.client { handle(.factsChanged(facts.changed(by: world.client))) }
        if world.clock.replacements != before.clock.replacements { handle(.clockReplaced) }
        let skipped = world.clock.skipped - before.clock.skipped
        if skipped > .zero { handle(.slept(skipped)) }
        sync()
    }

    func command(for shortcut: BarricadeShortcut) -> BarricadeCommand? { driver.command(for: shortcut, of: machine) }

    mutating func copy(_ text: String) -> Bool {
        effects.append(.copy(text))
        return problem == nil
    }

    mutating func exportJournal() throws -> String {
        effects.append(.exportJournal)
        if let problem { throw TestError(problem) }
        return "journal saved: journal.jsonl"
    }

    mutating func exportScenario() throws -> String? {
        effects.append(.exportScenario)
        if let problem { throw TestError(problem) }
        return pending == nil ? "session.json" : nil
    }

    mutating func save(bookmarks: [String]) -> String? {
        effects.append(.saveBookmarks(bookmarks))
        return problem
    }
}
