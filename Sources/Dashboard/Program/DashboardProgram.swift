import Barricade
import Bellerophon
import BellerophonCurses
import CloudBox
import Dispatch
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// The running dashboard: connects the model to the terminal, the managers and the simulated server.
///
/// It watches one service or several, each with a manager; the screen and the keys belong to the open one. Keys and reports
/// enter the model; effects and frames leave it. All decisions are made in the model, and ``DashboardHost`` performs its effects.
@MainActor
package final class DashboardProgram {
    private let terminal: CursesTerminal
    private let window: CursesOverlayWindow
    private let program: StatusProgram
    private var services: [WatchedService] { program.services }
    private var simulated: SimulatedSession? { program.simulated }
    var model: DashboardModel
    private let setup: DashboardSetup
    private let contents: ContentLibrary
    private var ticker: ScheduledCall?
    private var willDraw = false
    /// The chosen theme while another one is shown; nil while none is.
    private var chosenTheme: ColorTheme?

    package init(_ setup: DashboardSetup, terminal: CursesTerminal) {
        self.setup = setup
        self.terminal = terminal
        window = CursesOverlayWindow(terminal: terminal)
        program = StatusProgram(setup, screen: window)
        model = Self.model(setup, terminal, program.simulated)
        contents = ContentLibrary(
            setup.content, hasScenarios: setup.simulation?.contentServer != nil, forgets: setup.simulation != nil)
    }

    private static func model(
        _ setup: DashboardSetup, _ terminal: CursesTerminal, _ simulated: SimulatedSession?
    ) -> DashboardModel {
        var screen = ScreenModel(size: terminal.size)
        screen.themes = setup.configuration.display.themes
        screen.keys = setup.configuration.display.keys
        screen.live.reducesMotion = setup.configuration.display.motion == .reduced
        screen.live.glyphs = terminal.glyphs
        screen.live.ringsBell = setup.configuration.alerts.ringsBell
        screen.live.notifies = setup.configuration.alerts.notifies
        screen.choiceFiles = setup.choiceFiles
        var simulation = SimulationModel(simulated?.driver.list, hasPicker: setup.simulation?.hasPicker ?? false)
        simulation.presentation = setup.presentation
        let services = setup.services.map { service in
            ServiceModel(
                app: service.configuration.app, source: service.source.name,
                security: simulated == nil ? service.source.security : nil, verifies: service.source.verifier != nil)
        }
        return DashboardModel(
            services: services, screen: screen, simulation: simulation, bookmarks: setup.bookmarks?.names ?? [])
    }

    /// Runs until the user quits, and leaves the terminal open.
    package func run() {
        connect()
        let problem = program.startSimulation(checks: false)
        synchronise()
        draw()
        if let problem { send(.report(.remark(problem))) }
        program.begin { [weak self] problem in self?.receive(.problem(problem)) }
        for service in services { service.manager.checkAppStatus() }
        contents.start { [weak self] file in
            self?.simulated?.driver.barricade.register(file)
            self?.drawSoon()
        } send: { [weak self] message in
            self?.receive(message)
        }
        contents.sync(every: setup.configuration.contentInterval, clock: program.clock)
        tick()
        terminal.run()
        ticker?.cancel()
        for service in services { service.manager.suspend() }
        end("quit")
    }

    /// What the view has said that covers the program, in a line for the shell; nil if none does.
    package var closingLine: String? { openService.closingLine }

    private func end(_ how: String) {
        program.end(how)
        contents.stop()
    }

    private func connect() {
        for (index, service) in services.enumerated() {
            service.manager.onReport = { [weak self] report in self?.receive(report, of: index) }
            service.window?.onNotice = { [weak self] in
                self?.synchronise()
                self?.drawSoon()
            }
            service.manager.onStreamEvent = { [weak self] event in event.resource.map { self?.contents.follow($0) } }
        }
        terminal.onKey = { [weak self] key in self?.receive(key) }
        terminal.onPaint = { [weak self] in self?.painted() }
        if let tape = program.tape { terminal.onFrame = { tape.record($0, at: .now) } }
        terminal.onTermination = { [weak self] signal in self?.end(SignalName.of(signal)) }
        window.onQuit = { [weak self] in self?.terminal.stop() }
        // The window tells only the open service.
        window.onResume = { [weak self] in
            for service in self?.services ?? [] where !service.isOpen { service.manager.resume() }
        }
        if model.hasScenarios || model.simulation.presentation != nil || services.count > 1 {
            window.accessory = self
        }
        // Restarts the ticker, because it ticks more often while a timeline plays.
        simulated?.onMove = { [weak self] in self?.tick() }
        simulated?.onCommand = { [weak self] command throws(BarricadeError) in try self?.performForScript(command) }
    }

    private func performForScript(_ command: BarricadeCommand) throws(BarricadeError) {
        synchronise()
        defer { tick() }
        var host = self
        if let error = host.perform(command) { throw error }
    }

    // MARK: The open service

    private var openService: WatchedService { services[model.opened] }

    /// Passes a message to the model and performs what follows.
    private func send(_ message: DashboardMessage) {
        // The requirements of the host are mutating, so that a value can be one.
        var host = self
        host.deliver(message)
    }

    // MARK: Incoming messages

    /// The manager reports changes before it updates the window, so drawing is deferred: the next paint shows the window and
    /// the dashboard as they are then.
    private func receive(_ report: StatusReport, of index: Int) {
        let service = services[index]
        if case .stream(.opened) = report { contents.streamOpened() }
        synchronise()
        send(.report(report, of: index))
        program.record(report, of: service)
        let message = service.manager.machine.facts[.message]
        service.alerts.actions(for: report, message: message).forEach(terminal.perform)
        if case .stageChanged = report, setup.configuration.alerts.setsTitle, services.count > 1 {
            terminal.setTitle(model.watched.title)
        }
        drawSoon()
    }

    /// Called when the screen shows the current stages.
    private func painted() {
        for (index, service) in services.enumerated() {
            guard let arrival = service.journal.painted(at: .now) else { continue }
            send(.painted(sincePublished: arrival.publishLatency, of: index))
            drawSoon()
        }
    }

    private func receive(_ message: DashboardMessage) {
        send(message)
        drawSoon()
    }

    private func receive(_ key: Key) {
        if key == .resize { send(.resized(terminal.size)) }
        guard !window.handle(key) else { return draw() }
        synchronise()
        send(.key(key))
        draw()
    }

    /// Redraws at each full second of the countdown, and more often while a timeline plays.
    private func tick() {
        synchronise()
        draw()
        ticker?.cancel()
        ticker = program.clock.schedule(after: untilNextTick) { [weak self] in self?.tick() }
    }

    private var untilNextTick: Duration {
        guard !model.screen.live.reducesMotion else { return Self.quietTick }
        let second = openService.manager.untilNextSecond
        return simulated?.driver.barricade.state.untilNextStep == nil ? second : min(second, Self.frameTime)
    }

    /// The time between two frames of a screen that stands still between two changes.
    private static let quietTick = Duration.seconds(10)

    /// The time between two frames of a moving bar.
    private static let frameTime = Duration.milliseconds(200)

    private func synchronise() {
        // A step of a timeline may have begun by time, and with it another time or version.
        simulated?.followWorld()
        // These have no effects.
        _ = model.handle(.clock(now: program.clock.now, date: program.clock.date))
        for (index, service) in services.enumerated() {
            _ = model.handle(.status(service.manager.machine, of: index))
            _ = model.handle(.stream(service.manager.streamMachine, of: index))
            _ = model.handle(.told(service.window?.notice, of: index))
        }
        if let simulated { send(.barricade(simulated.driver.list)) }
        if services.count > 1 { send(.services(model.watched)) }
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

// MARK: Effects

extension DashboardProgram: @MainActor DashboardHost {
    /// Shows the open service's view, except while the list of all services is on the screen.
    func modelDidChange() {
        for (index, service) in services.enumerated() { service.show(index == model.opened && !model.listsServices) }
    }

    func carryOut(_ effect: DashboardEffect) {
        switch effect {
        case .checkNow: openService.manager.check(.person)
        case .checkAfresh: openService.manager.check(.person, isFresh: true)
        case .checkAll: for service in services { service.manager.check(.person) }
        case .open: synchronise()
        case .sync(let name): contents.sync(name, isAsked: true)
        case .theme(let theme):
            chosenTheme = nil
            program.tape?.use(theme)
            terminal.use(theme)
        case .preview(let theme): preview(theme)
        case .settings(let settings): use(settings)
        case .redraw: terminal.repaint()
        case .quit: terminal.stop()
        case .barricade, .shortcut, .copy, .exportJournal, .exportScenario, .saveBookmarks: break
        }
    }

    func run(_ command: BarricadeCommand) throws(BarricadeError) -> ScenarioList? {
        try simulated?.perform(command)
        if command.changesContent { contents.sync() }
        return simulated?.driver.list
    }

    func command(for shortcut: BarricadeShortcut) -> BarricadeCommand? {
        simulated?.driver.command(for: shortcut, of: openService.manager.machine)
    }

    func copy(_ text: String) -> Bool { terminal.copy(text) }

    func exportJournal() throws -> String { try openService.journal.export() }

    func exportScenario() throws -> String? { try simulated?.exportScenario(date: program.clock.date) }

    func save(bookmarks names: [String]) -> String? { setup.bookmarks?.save(names) }

    /// A tape has its own colours, and takes those of another theme when it is chosen.
    private func preview(_ theme: ColorTheme?) {
        guard let shown = theme ?? chosenTheme else { return }
        chosenTheme = theme == nil ? nil : chosenTheme ?? terminal.theme
        terminal.use(shown)
    }

    private func use(_ settings: LiveSettings) {
        terminal.use(settings.glyphs)
        for service in services {
            service.alerts.use(settings)
            service.manager.reducesMotion = settings.reducesMotion
        }
        tick()
    }
}

/// Opens the scenario picker over the kill and update views too, and controls a timeline there; otherwise testers could not
/// end their own kill. Opens another service likewise. Shows the captions of a presentation below these views.
extension DashboardProgram: OverlayAccessory {
    package var keyHints: [KeyHint] { model.overlayHints }

    package func handle(_ key: Key) -> Bool {
        guard model.takesOverOverlay(key) else { return false }
        synchronise()
        send(model.hasPicker ? .key(key) : .overlayKey(key))
        window.refresh()
        return true
    }

    package func draw(in frame: inout Frame) {
        model.drawPicker(in: &frame)
    }

    package func rowsBelow(_ size: Size) -> Int { model.captionRows(size) }

    package func drawBelow(in frame: inout Frame, _ rect: Rect) {
        model.drawCaption(in: &frame, rect)
    }
}

extension CursesTerminal {
    func perform(_ action: TransitionAlerts.Action) {
        switch action {
        case .bell: ringBell()
        case .title(let text): setTitle(text)
        case .notification(let title, let text): notify(title: title, text: text)
        }
    }
}
