import Barricade
import Bellerophon
import BellerophonCurses
import CloudBox
import Dispatch
import Foundation
import TerminalUI

/// The running dashboard: connects the models to the terminal, the managers and the simulated server.
///
/// It watches one service or several. Each has a manager and a model; the screen and the keys belong to the open one. Keys and
/// reports enter the models; effects and frames leave them. All decisions are made in the models.
@MainActor
package final class DashboardProgram {
    private let terminal: CursesTerminal
    private let window: CursesOverlayWindow
    private let clock = DispatchClock()
    private let services: [WatchedService]
    /// The index of the open service.
    private var opened = 0
    private let files: SessionFiles
    private let hook: TransitionHook?
    private let bookmarks: BookmarkFile?
    private let setsTitle: Bool
    /// Nil with a real server.
    private let simulated: SimulatedSession?
    private let contents: ContentLibrary
    private let schedule: ContentSchedule
    private var ticker: ScheduledCall?
    private var willDraw = false

    package init(_ setup: DashboardSetup, terminal: CursesTerminal) {
        let (configuration, simulation) = (setup.configuration, setup.simulation)
        self.terminal = terminal
        let window = CursesOverlayWindow(terminal: terminal)
        self.window = window
        let simulated = simulation.map { SimulatedSession($0, controlFolders: setup.controlFolders) }
        self.simulated = simulated
        let clock = clock
        services = setup.services.enumerated().map { index, service in
            WatchedService(
                service, in: setup, isOnly: setup.services.count == 1, isOpen: index == 0, on: window, clock: clock
            ) { service in
                var model = DashboardModel(
                    app: service.configuration.app, source: service.source.name,
                    security: simulation == nil ? service.source.security : nil, verifies: service.source.verifier != nil,
                    scenarios: simulated?.driver.list, hasPicker: simulation?.hasPicker ?? false, size: terminal.size)
                model.themes = configuration.display.themes
                model.keys = configuration.display.keys
                model.live = Self.live(configuration, terminal)
                model.bookmarks = setup.bookmarks?.names ?? []
                model.presentation = setup.presentation
                return model
            }
        }
        files = SessionFiles(journals: services.map(\.journal), recorder: setup.recorder, tape: setup.tape)
        bookmarks = setup.bookmarks
        hook = TransitionHook(configuration.hook, clock: clock)
        setsTitle = configuration.alerts.setsTitle && services.count > 1
        let news = ContentNews()
        contents = ContentLibrary(
            setup.content, hasScenarios: simulation?.contentServer != nil, forgets: simulation != nil
        ) { news.take?($0) }
        schedule = ContentSchedule(contents, every: configuration.contentInterval, clock: clock)
        news.take = { [weak self] in self?.take($0) }
    }

    private static func live(_ configuration: Configuration, _ terminal: CursesTerminal) -> LiveSettings {
        var live = LiveSettings()
        live.reducesMotion = configuration.display.motion == .reduced
        live.glyphs = terminal.glyphs
        live.ringsBell = configuration.alerts.ringsBell
        live.notifies = configuration.alerts.notifies
        return live
    }

    /// Forwards news of the content library to the program, which is initialised after it.
    private final class ContentNews {
        var take: ((ContentLibrary.News) -> Void)?
    }

    /// Runs until the user quits, and leaves the terminal open.
    package func run() {
        connect()
        synchronise()
        draw()
        listen()
        files.begin { [weak self] problem in self?.take(problem: problem) }
        hook?.onProblem = { [weak self] problem in self?.take(problem: problem) }
        for service in services { service.manager.checkAppStatus() }
        schedule.start()
        tick()
        terminal.run()
        ticker?.cancel()
        schedule.stopTimer()
        simulated?.stopObserving()
        for service in services { service.manager.suspend() }
        end("quit")
    }

    /// What the view has said that covers the program, in a line for the shell; nil if none does.
    package var closingLine: String? { openService.closingLine }

    private func end(_ how: String) {
        for service in services { service.manager.flush() }
        simulated?.closeSocket()
        contents.stop()
        files.end(how)
    }

    private func connect() {
        for service in services {
            service.manager.onReport = { [weak self, unowned service] report in self?.take(report, of: service) }
            service.manager.onStreamEvent = { [weak self] event in event.resource.map { self?.contents.follow($0) } }
        }
        terminal.onKey = { [weak self] key in self?.take(key) }
        terminal.onPaint = { [weak self] in self?.painted() }
        if let tape = files.tape { terminal.onFrame = { tape.take($0, at: .now) } }
        terminal.onTermination = { [weak self] signal in self?.end(SignalName.of(signal)) }
        window.onQuit = { [weak self] in self?.terminal.stop() }
        // The window tells only the open service.
        window.onResume = { [weak self] in
            for service in self?.services ?? [] where !service.window.isOpen { service.manager.overlayDidResume() }
        }
        if openService.model.hasScenarios || openService.model.presentation != nil || services.count > 1 {
            window.accessory = self
        }
        // Called after a matched request or a barricade command. Restarts the ticker, because the next step may be due earlier.
        simulated?.observe { [weak self] in self?.tick() }
    }

    // MARK: The open service

    private var openService: WatchedService { services[opened] }

    /// Passes a message to the open service's model and performs what follows.
    private func send(_ message: DashboardMessage) {
        perform(openService.model.handle(message))
        followModel()
    }

    /// Shows the service's view, except while the list of all services is on the screen.
    private func followModel() {
        for (index, service) in services.enumerated() {
            service.show(index == opened && !service.model.listsServices)
        }
    }

    private func openService(at index: Int) {
        guard services.indices.contains(index) else { return }
        let size = openService.model.size
        opened = index
        // A service that was left for the list shows its panes again.
        openService.model.leaveServiceList()
        synchronise()
        send(.resized(size))
    }

    // MARK: Incoming messages

    /// The manager reports changes before it updates the window, so drawing is deferred: the next paint shows the window and
    /// the dashboard as they are then.
    private func take(_ report: StatusReport, of service: WatchedService) {
        if case .stream(.opened) = report { contents.streamOpened() }
        synchronise()
        // Only the open service has effects to perform, and a report has none.
        _ = service.model.handle(.report(report))
        simulated?.take(report)
        service.journal.take(report, machine: service.manager.machine)
        hook?.take(report, service.manager.machine, in: service.session)
        let message = service.manager.machine.document?.message
        service.alerts.actions(for: report, message: message).forEach(terminal.perform)
        if setsTitle, case .stageChanged = report { terminal.setTitle(serviceList.title) }
        drawSoon()
    }

    /// Called when the screen shows the current stages.
    private func painted() {
        for service in services {
            guard let arrival = service.journal.painted(at: .now) else { continue }
            _ = service.model.handle(.painted(sincePublished: arrival.publishLatency))
            drawSoon()
        }
    }

    private func take(problem: String) {
        send(.problem(problem))
        drawSoon()
    }

    private func take(_ key: Key) {
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
        ticker = clock.schedule(after: untilNextTick) { [weak self] in self?.tick() }
    }

    private var untilNextTick: Duration {
        let reducesMotion = openService.model.reducesMotion
        let tick = reducesMotion ? Self.quietTick : openService.manager.untilNextSecond
        guard let next = simulated?.driver.barricade.state.untilNextStep else { return tick }
        // Slightly after the step's end, so that the step is over then.
        return min(tick, next + .milliseconds(1), reducesMotion ? tick : Self.frameTime)
    }

    /// The time between two frames of a screen that stands still between two changes.
    private static let quietTick = Duration.seconds(10)

    /// The time between two frames of a moving bar.
    private static let frameTime = Duration.milliseconds(200)

    private func synchronise() {
        for service in services {
            _ = service.model.handle(.clock(now: service.manager.now, date: clock.date))
            _ = service.model.handle(.status(service.manager.machine))
            _ = service.model.handle(.stream(service.manager.streamMachine))
        }
        if let simulated { send(.barricade(simulated.driver.list)) }
        if services.count > 1 { send(.services(serviceList)) }
    }

    private var serviceList: ServiceList { ServiceList(rows: services.map(\.model.serviceRow), opened: opened) }

    // MARK: Effects

    private func perform(_ effects: [DashboardEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: DashboardEffect) {
        switch effect {
        case .checkNow: openService.manager.check(.person)
        case .checkAfresh: openService.manager.check(.person, isFresh: true)
        case .checkAll: for service in services { service.manager.check(.person) }
        case .open(let index): openService(at: index)
        case .barricade(let command): perform(command)
        case .shortcut(let shortcut): perform(shortcut)
        case .sync(let name): contents.sync(name, isAsked: true)
        case .copy(let text): send(.copied(wasSent: terminal.copy(text)))
        case .exportJournal: export()
        case .theme(let theme):
            files.tape?.use(theme)
            terminal.use(theme)
        case .settings(let settings): use(settings)
        case .saveBookmarks(let names): save(bookmarks: names)
        case .exportScenario: exportScenario()
        case .redraw: terminal.repaint()
        case .quit: terminal.stop()
        }
    }

    private func export() {
        do {
            send(.notice(try openService.journal.export()))
        } catch {
            send(.problem("the journal was not saved: \(error)"))
        }
    }

    private func exportScenario() {
        do {
            guard let name = try simulated?.exportScenario(date: clock.date) else {
                return send(.refused("nothing was checked yet"))
            }
            send(.notice("scenario saved: \(name); play it with --scenarios"))
        } catch {
            send(.problem("the scenario was not saved: \(error)"))
        }
    }

    private func save(bookmarks names: [String]) {
        if let problem = bookmarks?.save(names) { send(.problem("the bookmarks were not saved: \(problem)")) }
    }

    private func use(_ settings: LiveSettings) {
        terminal.use(settings.glyphs)
        for service in services {
            service.model.live = settings
            service.alerts.use(settings)
            service.manager.reducesMotion = settings.reducesMotion
        }
        tick()
    }

    private func perform(_ shortcut: BarricadeShortcut) {
        let app = openService.model.app.facts
        guard let command = simulated?.driver.command(for: shortcut, of: app, at: clock.date) else {
            return send(.refused(shortcut.refusal))
        }
        perform(command)
    }

    /// Performs a barricade command and passes the result to the model.
    /// - Returns: why it was refused; nil on success.
    @discardableResult
    private func perform(_ command: BarricadeCommand) -> BarricadeError? {
        do {
            try simulated?.perform(command)
            if let list = simulated?.driver.list { send(.performed(command, list)) }
            if command.changesContent { contents.sync() }
            return nil
        } catch {
            send(.refused("\(error)"))
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
            return openService.model.frame(size: terminal.size)
        }
    }
}

// MARK: Content

extension DashboardProgram {
    private func take(_ news: ContentLibrary.News) {
        switch news {
        case .content(let content): tellAll(.content(content))
        case .rows(let rows): tellAll(.resources(rows))
        case .scenarios(let file): simulated?.driver.barricade.register(file)
        case .updated(let text): send(.contentChanged(text))
        case .problem(let text): send(.problem(text))
        case .notice(let text): send(.notice(text))
        }
        drawSoon()
    }

    private func tellAll(_ message: DashboardMessage) {
        for service in services { _ = service.model.handle(message) }
    }
}

// MARK: Scripts

extension DashboardProgram {
    private func listen() {
        let problem = simulated?.listen { [weak self] request in self?.answer(request) ?? .refused("the program is ending") }
        if let problem { send(.report(.remark(problem))) }
    }

    private func answer(_ request: ControlRequest) -> ControlReply {
        synchronise()
        let error = request.command.flatMap { perform($0) }
        tick()
        if let error { return .refused(ControlText.refusal(error)) }
        return .done(
            ControlState(
                openService.model.known, stage: openService.model.machine.stage,
                isChecking: openService.model.machine.pending != nil))
    }
}

/// Opens the scenario picker over the kill and update views too, and controls a timeline there; otherwise testers could not
/// end their own kill. Opens another service likewise. Shows the captions of a presentation below these views.
extension DashboardProgram: OverlayAccessory {
    package var keyHints: [KeyHint] { openService.model.overlayHints }

    package func handle(_ key: Key) -> Bool {
        guard openService.model.takesOverOverlay(key) else { return false }
        synchronise()
        send(openService.model.hasPicker ? .key(key) : .overlayKey(key))
        window.refresh()
        return true
    }

    package func draw(in frame: inout Frame) {
        openService.model.drawPicker(in: &frame)
    }

    package func rowsBelow(_ size: Size) -> Int { openService.model.captionRows(size) }

    package func drawBelow(in frame: inout Frame, _ rect: Rect) {
        openService.model.drawCaption(in: &frame, rect)
    }
}
