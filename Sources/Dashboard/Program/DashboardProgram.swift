import Barricade
public import Bellerophon
public import BellerophonCurses
import Dispatch
import Foundation
public import TerminalUI

/// The running dashboard: it wires the model to the terminal, the manager and the barricade.
///
/// It holds no state of its own beside the model: keys and reports go in, effects and frames come out.
@MainActor
public final class DashboardProgram {
    private let terminal: CursesTerminal
    private let window: CursesOverlayWindow
    private let manager: BellerophonManager
    private let barricade: Barricade?
    private let clock = DispatchClock()
    private let journal: JournalKeeper
    private let recorder: Recorder?
    private var model: DashboardModel
    private var ticker: ScheduledCall?

    /// - Parameters:
    ///   - simulation: what answers in the server's place; nil asks the real one.
    ///   - journal: where the changes of stage are appended to.
    ///   - recorder: is told by the source; here it is finished, and its problems are shown.
    public init(
        _ configuration: Configuration, source: any StatusSource, store: (any StatusStore)?,
        simulation: Simulation? = nil, journal: JournalFile? = nil, recorder: Recorder? = nil, terminal: CursesTerminal
    ) {
        self.terminal = terminal
        barricade = simulation?.barricade
        window = CursesOverlayWindow(terminal: terminal)
        var config = BellerophonConfig(
            window: window, killSwitchView: KillSwitchView(), forceUpdateView: ForceUpdateView(), source: source
        )
        config.policy = configuration.policy
        config.app = configuration.app
        config.store = store
        config.isSimulated = simulation != nil
        manager = BellerophonManager(config: config)
        let session = JournalRecord.Session(app: config.app, source: source.name, isSimulated: config.isSimulated)
        self.journal = JournalKeeper(session, file: journal, clock: clock)
        self.recorder = recorder
        model = DashboardModel(
            app: configuration.app, source: source.name,
            scenarios: simulation.map { ScenarioList($0.barricade) }, size: terminal.size
        )
    }

    /// Runs until the person quits, and leaves the terminal open.
    public func run() {
        connect()
        draw()
        journal.begin()
        manager.checkAppStatus()
        tick()
        terminal.run()
        ticker?.cancel()
        manager.suspend()
        end("quit")
    }

    private func end(_ how: String) {
        journal.end(how)
        recorder?.finish()
    }

    private func connect() {
        manager.onReport = { [weak self] report in self?.take(report) }
        terminal.onKey = { [weak self] key in self?.take(key) }
        terminal.onDeath = { [weak self] signal in self?.end(SignalName.of(signal)) }
        journal.onProblem = { [weak self] problem in self?.take(problem: problem) }
        recorder?.onProblem { [weak self] problem in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(problem: problem) } }
        }
        window.onQuit = { [weak self] in self?.terminal.stop() }
        if barricade != nil { window.accessory = self }
    }

    // MARK: Messages in

    /// The manager reports a change of stage after the overlay has been painted or taken away; what only the
    /// dashboard shows is painted here.
    private func take(_ report: StatusReport) {
        let overlayPainted = ContinuousClock.now
        synchronise()
        perform(model.handle(.report(report)))
        draw()
        journal.take(
            report, machine: manager.machine, painted: manager.isDisplaying ? overlayPainted : ContinuousClock.now
        )
    }

    private func take(problem: String) {
        perform(model.handle(.problem(problem)))
        draw()
    }

    private func take(_ key: Key) {
        if key == .resize { perform(model.handle(.resized(terminal.size))) }
        guard !window.handle(key) else { return draw() }
        synchronise()
        perform(model.handle(.key(key)))
        draw()
    }

    /// Redraws at each full second of the countdown.
    private func tick() {
        synchronise()
        draw()
        ticker = clock.schedule(after: manager.untilNextSecond) { [weak self] in self?.tick() }
    }

    private func synchronise() {
        perform(model.handle(.clock(now: manager.now, date: clock.date)))
        perform(model.handle(.status(manager.machine)))
    }

    // MARK: Effects out

    private func perform(_ effects: [DashboardEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: DashboardEffect) {
        switch effect {
        case .checkNow: manager.check(.person)
        case .selectScenario(let request, let response): try? barricade?.select(response, for: request)
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

    private func draw() {
        terminal.present(model.frame(size: terminal.size))
    }
}

/// The scenario picker opens over the kill and update views too: or a tester is trapped by the tester's own kill.
extension DashboardProgram: OverlayAccessory {
    public var keyHints: [KeyHint] { [KeyHint(key: "s", word: "scenario")] }

    public func handle(_ key: Key) -> Bool {
        guard model.picker != nil || key == .character("s") else { return false }
        synchronise()
        perform(model.handle(model.picker == nil ? .openPicker : .key(key)))
        window.refresh()
        return true
    }

    public func draw(in frame: inout Frame) {
        model.picker?.draw(in: &frame)
    }
}
