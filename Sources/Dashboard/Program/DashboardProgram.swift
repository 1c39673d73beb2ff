import Barricade
import Bellerophon
import BellerophonCurses
import CloudBox
import Dispatch
import Foundation
import TerminalUI

/// The running dashboard: it wires the model to the terminal, the manager and the barricade.
///
/// It holds no state of its own beside the model: keys and reports go in, effects and frames come out.
@MainActor
package final class DashboardProgram {
    private let terminal: CursesTerminal
    private let window: CursesOverlayWindow
    private let manager: BellerophonManager
    private let clock = DispatchClock()
    private let journal: JournalKeeper
    private let recorder: Recorder?
    private(set) var model: DashboardModel
    private var ticker: ScheduledCall?
    private var willDraw = false
    /// Nil where a real server answers.
    private(set) var driver: BarricadeDriver?
    private var observation: BarricadeObservation?
    private let controlFolders: [ControlFolder]
    private var control: ControlServer?
    private var content: ContentLibrary?
    private let contentInterval: Duration
    private var contentTimer: ScheduledCall?

    /// - Parameters:
    ///   - stream: where statuses are pushed from, where somebody says so.
    ///   - bundledStatus: what holds where neither a server nor an earlier run is known.
    ///   - simulation: what answers in the server's place; nil asks the real one.
    ///   - journal: where the changes of stage are appended to.
    ///   - recorder: is told by the source; here it is finished, and its problems are shown.
    ///   - content: where content is kept and who is asked for newer one.
    ///   - controlFolders: where scripts may find this program's socket, the best place first; it is made only while a
    ///     simulation answers.
    package init(
        _ configuration: Configuration, source: any StatusSource, stream: (any StatusStream)? = nil,
        store: (any StatusStore)?, bundledStatus: Data? = nil, simulation: Simulation? = nil, journal: JournalFile? = nil,
        recorder: Recorder? = nil,
        content: CloudBoxConfiguration? = nil, controlFolders: [ControlFolder] = [], terminal: CursesTerminal
    ) {
        self.terminal = terminal
        self.controlFolders = controlFolders
        driver = simulation.map { BarricadeDriver($0.barricade) }
        contentInterval = configuration.contentInterval
        window = CursesOverlayWindow(terminal: terminal)
        var config = BellerophonConfig(
            window: window, killSwitchView: KillSwitchView(), forceUpdateView: ForceUpdateView(), source: source
        )
        config.policy = configuration.policy
        config.freshness = configuration.freshness
        config.bundledStatus = bundledStatus
        // A simulated server answers whole bodies only.
        config.transport = simulation == nil ? configuration.transport : .poll
        config.stream = stream
        config.app = configuration.app
        config.store = store
        config.isSimulated = simulation != nil
        manager = BellerophonManager(config: config)
        let session = JournalRecord.Session(app: config.app, source: source.name, isSimulated: config.isSimulated)
        self.journal = JournalKeeper(session, file: journal, clock: clock)
        self.recorder = recorder
        model = DashboardModel(
            app: configuration.app, source: source.name, security: simulation == nil ? source.security : nil,
            verifies: source.verifier != nil,
            scenarios: driver?.list, hasPicker: simulation?.hasPicker ?? false, size: terminal.size
        )
        self.content = content.map { content in
            let isSimulated = simulation != nil
            return ContentLibrary(content, hasScenarios: simulation?.contentServer != nil, forgets: isSimulated) { [weak self] in
                self?.take($0)
            }
        }
    }

    /// Runs until the person quits, and leaves the terminal open.
    package func run() {
        connect()
        draw()
        listen()
        journal.begin()
        manager.checkAppStatus()
        content?.start()
        syncContent()
        tick()
        terminal.run()
        ticker?.cancel()
        contentTimer?.cancel()
        observation?.cancel()
        manager.suspend()
        end("quit")
    }

    private func end(_ how: String) {
        manager.flush()
        control?.close()
        content?.stop()
        journal.end(how)
        recorder?.finish()
    }

    private func connect() {
        manager.onReport = { [weak self] report in self?.take(report) }
        manager.onStreamEvent = { [weak self] event in event.resource.map { self?.content?.follow($0) } }
        terminal.onKey = { [weak self] key in self?.take(key) }
        terminal.onPaint = { [weak self] in self?.painted() }
        terminal.onTermination = { [weak self] signal in self?.end(SignalName.of(signal)) }
        journal.onProblem = { [weak self] problem in self?.take(problem: problem) }
        recorder?.onProblem { [weak self] problem in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(problem: problem) } }
        }
        window.onQuit = { [weak self] in self?.terminal.stop() }
        if model.hasScenarios { window.accessory = self }
        observation = driver?.barricade.observe { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.barricadeChanged() } }
        }
    }

    // MARK: Messages in

    /// The manager reports changes before it updates the window. Nothing is painted from here: the next paint shows the
    /// window and the dashboard as they are then.
    private func take(_ report: StatusReport) {
        if case .stream(.opened) = report { content?.streamOpened() }
        synchronise()
        perform(model.handle(.report(report)))
        journal.take(report, machine: manager.machine)
        drawSoon()
    }

    /// The screen shows the present stage.
    private func painted() {
        guard let arrival = journal.painted(at: .now) else { return }
        perform(model.handle(.painted(sincePublished: arrival.publishLatency)))
        drawSoon()
    }

    private func take(problem: String) {
        perform(model.handle(.problem(problem)))
        drawSoon()
    }

    private func take(_ key: Key) {
        if key == .resize { perform(model.handle(.resized(terminal.size))) }
        guard !window.handle(key) else { return draw() }
        synchronise()
        perform(model.handle(.key(key)))
        draw()
    }

    /// Redraws at each full second of the countdown, and while a timeline plays more often.
    private func tick() {
        synchronise()
        draw()
        ticker?.cancel()
        ticker = clock.schedule(after: untilNextTick) { [weak self] in self?.tick() }
    }

    private var untilNextTick: Duration {
        guard let next = driver?.barricade.state.untilNextStep else { return manager.untilNextSecond }
        // A little after the step's end, so that it is over then.
        return min(manager.untilNextSecond, next + .milliseconds(1), Self.frameTime)
    }

    /// Between two pictures of a bar that moves.
    private static let frameTime = Duration.milliseconds(200)

    private func synchronise() {
        perform(model.handle(.clock(now: manager.now, date: clock.date)))
        perform(model.handle(.status(manager.machine)))
        perform(model.handle(.stream(manager.streamMachine)))
        if let driver { perform(model.handle(.barricade(driver.list))) }
    }

    /// A request was matched, or somebody has told the barricade something: its own ticks begin anew.
    private func barricadeChanged() {
        tick()
    }

    // MARK: Effects out

    private func perform(_ effects: [DashboardEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: DashboardEffect) {
        switch effect {
        case .checkNow: manager.check(.person)
        case .barricade(let command): perform(command)
        case .sync(let name): content?.sync(name, isAsked: true)
        case .copy(let text): terminal.copy(text)
        case .exportJournal: export()
        case .redraw: terminal.repaint()
        case .quit: terminal.stop()
        }
    }

    private func export() {
        do {
            perform(model.handle(.notice(try journal.export())))
        } catch {
            perform(model.handle(.problem("the journal was not saved: \(error)")))
        }
    }

    /// Tells the barricade, and the model what came of it.
    /// - Returns: why it was refused; nil where it was not.
    @discardableResult
    private func perform(_ command: BarricadeCommand) -> BarricadeError? {
        do {
            try driver?.perform(command)
            if let list = driver?.list { perform(model.handle(.performed(command, list))) }
            if command.changesContent { content?.sync() }
            return nil
        } catch {
            perform(model.handle(.refused("\(error)")))
            return error
        }
    }

    /// Draws once, however many changes the turn brings.
    private func drawSoon() {
        guard !willDraw else { return }
        willDraw = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.willDraw else { return }
                self.draw()
            }
        }
    }

    private func draw() {
        willDraw = false
        terminal.present { [weak self] in
            guard let self else { return Frame(Size(columns: 0, rows: 0)) }
            return model.frame(size: terminal.size)
        }
    }
}

// MARK: Content

extension DashboardProgram {
    private func take(_ news: ContentLibrary.News) {
        switch news {
        case .content(let content): perform(model.handle(.content(content)))
        case .rows(let rows): perform(model.handle(.resources(rows)))
        case .scenarios(let file): driver?.barricade.register(file)
        case .updated(let text): perform(model.handle(.contentChanged(text)))
        case .problem(let text): perform(model.handle(.problem(text)))
        case .notice(let text): perform(model.handle(.notice(text)))
        }
        drawSoon()
    }

    /// Looks for newer content now, and again and again.
    private func syncContent() {
        content?.sync()
        // A tenth more or less, so that many clients do not ask in step.
        let wait = contentInterval * Double.random(in: 0.9...1.1)
        contentTimer = clock.schedule(after: wait) { [weak self] in self?.syncContent() }
    }
}

// MARK: Scripts

extension DashboardProgram {
    /// Lets scripts reach the barricade. Where that can't be, the program goes on without.
    private func listen() {
        guard driver != nil, !controlFolders.isEmpty else { return }
        do {
            control = try ControlServer.start(in: controlFolders) { [weak self] request in
                self?.answer(request) ?? .refused("the program is ending")
            }
        } catch {
            perform(model.handle(.report(.remark("no socket for scripts: \(error)"))))
        }
    }

    private func answer(_ request: ControlRequest) -> ControlReply {
        synchronise()
        let error = request.command.flatMap { perform($0) }
        tick()
        if let error { return .refused(ControlText.refusal(error)) }
        return .done(ControlState(model))
    }
}

/// The scenario picker opens over the kill and update views too: or a tester is trapped by the tester's own kill.
extension DashboardProgram: OverlayAccessory {
    package var keyHints: [KeyHint] { [KeyHint(key: "s", word: "scenario")] }

    package func handle(_ key: Key) -> Bool {
        guard model.hasPicker || key == .character("s") else { return false }
        synchronise()
        perform(model.handle(model.hasPicker ? .key(key) : .openPicker))
        window.refresh()
        return true
    }

    package func draw(in frame: inout Frame) {
        model.drawPicker(in: &frame)
    }
}
