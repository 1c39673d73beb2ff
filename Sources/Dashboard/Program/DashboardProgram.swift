import Barricade
import Bellerophon
import BellerophonCurses
import CloudBox
import Dispatch
import Foundation
import TerminalUI

/// The running dashboard: connects the model to the terminal, the manager and the simulated server.
///
/// Keys and reports enter the model; effects and frames leave it. All decisions are made in the model.
@MainActor
package final class DashboardProgram {
    private let terminal: CursesTerminal
    private let window: CursesOverlayWindow
    private let manager: BellerophonManager
    private let clock = DispatchClock()
    private var model: DashboardModel
    private let files: SessionFiles
    private let hook: TransitionHook?
    private let alerts: TransitionAlerts
    /// Nil with a real server.
    private let simulated: SimulatedSession?
    private let contents: ContentLibrary
    private let schedule: ContentSchedule
    private var ticker: ScheduledCall?
    private var willDraw = false

    package init(_ setup: DashboardSetup, terminal: CursesTerminal) {
        let (configuration, simulation) = (setup.configuration, setup.simulation)
        self.terminal = terminal
        window = CursesOverlayWindow(terminal: terminal)
        simulated = simulation.map { SimulatedSession($0, controlFolders: setup.controlFolders) }
        manager = BellerophonManager(config: setup.managerConfig(window: window))
        let session = JournalRecord.Session(
            app: configuration.app, source: setup.source.name, isSimulated: simulation != nil)
        files = SessionFiles(
            journal: JournalKeeper(session, file: setup.journal, clock: clock), recorder: setup.recorder)
        hook = TransitionHook(configuration.hook, session, clock: clock)
        alerts = TransitionAlerts(configuration.alerts, name: configuration.app.name)
        model = DashboardModel(
            app: configuration.app, source: setup.source.name, security: simulation == nil ? setup.source.security : nil,
            verifies: setup.source.verifier != nil,
            scenarios: simulated?.driver.list, hasPicker: simulation?.hasPicker ?? false, size: terminal.size
        )
        model.themes = configuration.display.themes
        model.keys = configuration.display.keys
        model.reducesMotion = configuration.display.motion == .reduced
        let news = ContentNews()
        contents = ContentLibrary(
            setup.content, hasScenarios: simulation?.contentServer != nil, forgets: simulation != nil
        ) { news.take?($0) }
        schedule = ContentSchedule(contents, every: configuration.contentInterval, clock: clock)
        news.take = { [weak self] in self?.take($0) }
    }

    /// Forwards news of the content library to the program, which is initialised after it.
    private final class ContentNews {
        var take: ((ContentLibrary.News) -> Void)?
    }

    /// Runs until the user quits, and leaves the terminal open.
    package func run() {
        connect()
        draw()
        listen()
        files.begin { [weak self] problem in self?.take(problem: problem) }
        hook?.onProblem = { [weak self] problem in self?.take(problem: problem) }
        manager.checkAppStatus()
        schedule.start()
        tick()
        terminal.run()
        ticker?.cancel()
        schedule.stopTimer()
        simulated?.stopObserving()
        manager.suspend()
        end("quit")
    }

    /// What the view has said that covers the program, in a line for the shell; nil if none does.
    package var closingLine: String? {
        guard manager.isDisplaying else { return nil }
        let content = manager.overlayContent()
        return OverlayWords.summary(content, name: content.app.name)
    }

    private func end(_ how: String) {
        manager.flush()
        simulated?.closeSocket()
        contents.stop()
        files.end(how)
    }

    private func connect() {
        manager.onReport = { [weak self] report in self?.take(report) }
        manager.onStreamEvent = { [weak self] event in event.resource.map { self?.contents.follow($0) } }
        terminal.onKey = { [weak self] key in self?.take(key) }
        terminal.onPaint = { [weak self] in self?.painted() }
        terminal.onTermination = { [weak self] signal in self?.end(SignalName.of(signal)) }
        window.onQuit = { [weak self] in self?.terminal.stop() }
        if model.hasScenarios { window.accessory = self }
        // Called after a matched request or a barricade command. Restarts the ticker, because the next step may be due earlier.
        simulated?.observe { [weak self] in self?.tick() }
    }

    // MARK: Incoming messages

    /// The manager reports changes before it updates the window, so drawing is deferred: the next paint shows the window and
    /// the dashboard as they are then.
    private func take(_ report: StatusReport) {
        if case .stream(.opened) = report { contents.streamOpened() }
        synchronise()
        perform(model.handle(.report(report)))
        files.journal.take(report, machine: manager.machine)
        hook?.take(report, manager.machine)
        alerts.actions(for: report, message: manager.machine.document?.message).forEach(terminal.perform)
        drawSoon()
    }

    /// Called when the screen shows the current stage.
    private func painted() {
        guard let arrival = files.journal.painted(at: .now) else { return }
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

    /// Redraws at each full second of the countdown, and more often while a timeline plays.
    private func tick() {
        synchronise()
        draw()
        ticker?.cancel()
        ticker = clock.schedule(after: untilNextTick) { [weak self] in self?.tick() }
    }

    private var untilNextTick: Duration {
        let tick = model.reducesMotion ? Self.quietTick : manager.untilNextSecond
        guard let next = simulated?.driver.barricade.state.untilNextStep else { return tick }
        // Slightly after the step's end, so that the step is over then.
        return min(tick, next + .milliseconds(1), model.reducesMotion ? tick : Self.frameTime)
    }

    /// The time between two frames of a screen that stands still between two changes.
    private static let quietTick = Duration.seconds(10)

    /// The time between two frames of a moving bar.
    private static let frameTime = Duration.milliseconds(200)

    private func synchronise() {
        perform(model.handle(.clock(now: manager.now, date: clock.date)))
        perform(model.handle(.status(manager.machine)))
        perform(model.handle(.stream(manager.streamMachine)))
        if let simulated { perform(model.handle(.barricade(simulated.driver.list))) }
    }

    // MARK: Effects

    private func perform(_ effects: [DashboardEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: DashboardEffect) {
        switch effect {
        case .checkNow: manager.check(.person)
        case .checkAfresh: manager.check(.person, isFresh: true)
        case .barricade(let command): perform(command)
        case .shortcut(let shortcut): perform(shortcut)
        case .sync(let name): contents.sync(name, isAsked: true)
        case .copy(let text): perform(model.handle(.copied(wasSent: terminal.copy(text))))
        case .exportJournal: export()
        case .theme(let theme): terminal.use(theme)
        case .redraw: terminal.repaint()
        case .quit: terminal.stop()
        }
    }

    private func export() {
        do {
            perform(model.handle(.notice(try files.journal.export())))
        } catch {
            perform(model.handle(.problem("the journal was not saved: \(error)")))
        }
    }

    private func perform(_ shortcut: BarricadeShortcut) {
        guard let command = simulated?.driver.command(for: shortcut) else {
            return perform(model.handle(.refused(shortcut.refusal)))
        }
        perform(command)
    }

    /// Performs a barricade command and passes the result to the model.
    /// - Returns: why it was refused; nil on success.
    @discardableResult
    private func perform(_ command: BarricadeCommand) -> BarricadeError? {
        do {
            try simulated?.perform(command)
            if let list = simulated?.driver.list { perform(model.handle(.performed(command, list))) }
            if command.changesContent { contents.sync() }
            return nil
        } catch {
            perform(model.handle(.refused("\(error)")))
            return error
        }
    }

    /// Draws once, regardless of the number of changes in the turn.
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
        case .scenarios(let file): simulated?.driver.barricade.register(file)
        case .updated(let text): perform(model.handle(.contentChanged(text)))
        case .problem(let text): perform(model.handle(.problem(text)))
        case .notice(let text): perform(model.handle(.notice(text)))
        }
        drawSoon()
    }
}

// MARK: Scripts

extension DashboardProgram {
    private func listen() {
        let problem = simulated?.listen { [weak self] request in self?.answer(request) ?? .refused("the program is ending") }
        if let problem { perform(model.handle(.report(.remark(problem)))) }
    }

    private func answer(_ request: ControlRequest) -> ControlReply {
        synchronise()
        let error = request.command.flatMap { perform($0) }
        tick()
        if let error { return .refused(ControlText.refusal(error)) }
        return .done(ControlState(model.known, stage: model.machine.stage, isChecking: model.machine.pending != nil))
    }
}

/// Opens the scenario picker over the kill and update views too, and controls a timeline there; otherwise testers could not
/// end their own kill.
extension DashboardProgram: OverlayAccessory {
    package var keyHints: [KeyHint] { model.overlayHints }

    package func handle(_ key: Key) -> Bool {
        guard model.takesOverOverlay(key) else { return false }
        synchronise()
        perform(model.handle(model.hasPicker ? .key(key) : .overlayKey(key)))
        window.refresh()
        return true
    }

    package func draw(in frame: inout Frame) {
        model.drawPicker(in: &frame)
    }
}
