import Bellerophon
import BellerophonViews
import Dispatch
import Foundation
import Processes
import ProgramUpdates
import TerminalUI

/// The overlay window of a guard: renders the view to frames, which the relay paints over the program's screen.
@MainActor
package final class GuardWindow: UpdatingWindow, OverlayExecutor {
    package weak var responder: (any OverlayResponder)?
    /// Passes events to the relay.
    package var post: (GuardEvent) -> Void = { _ in }
    /// Called after the view has appeared (true) or gone (false).
    package var onChange: (Bool) -> Void = { _ in }
    private let setup: GuardSetup
    /// What is said in place of views without a terminal; nil in one.
    private let lines: GuardLines?
    private var size = Size(columns: 80, rows: 24)
    /// The version that the guard starts again for; nil if it is not known.
    private(set) var newVersion: String?
    /// The command that waits for the terminal.
    private var dueCommand: UpdateCommand?
    /// The view that says why a new version has failed.
    let failureView: any OverlayView
    /// Why a new version has failed right after its start. The program is gone, so this view stays until the person leaves.
    private var failure: UpdateReport?
    /// The view of the status; nil if the status does not block the program.
    private var view: (any OverlayView)?
    private var content: OverlayContent? {
        didSet { contentTime = time.now }
    }
    /// The view of a stop on this machine, while the status does not block the program.
    let stopView: any OverlayView
    /// The stop on this machine; nil without one.
    package private(set) var localStop: LocalStop?
    /// Returns what is known of the status, for the view of a stop on this machine.
    package var statusContent: () -> OverlayContent? = { nil }
    /// What the person is told while the program runs.
    private var notice: OverlayNotice?
    /// What the shell is told of the notice after the program's end; nil if the person has heard it before the program's start.
    private(set) var noticeForShell: String?
    /// The end of a cover that says in its last line that it goes; nil without one.
    private var farewell: ScheduledCall?
    /// How long that line stands. Keys that come meanwhile do nothing, as on a view that has just come: they were typed for the cover.
    static let farewellTime = Duration.seconds(1)
    /// When the content was made.
    private var contentTime = MonotonicInstant()
    package var interaction = OverlayInteraction()
    package let time: any ManagerClock
    private var fate = CoveredProgram.notStarted
    private var tree = TreeSummary()
    /// Since when the program is paused; nil if it is not.
    private var pausedSince: Date?
    /// When a program that was asked to end is ended.
    private var endDue: MonotonicInstant?
    private var endTick: ScheduledCall?

    /// - Parameter lines: what is said in place of views without a terminal.
    init(_ setup: GuardSetup, _ lines: GuardLines? = nil, clock: any ManagerClock = DispatchClock()) {
        (self.setup, self.lines, time) = (setup, lines, clock)
        stopView = setup.configuration.killSwitchView ?? GuardViews.kill(isPlain: setup.isPlain)
        failureView = setup.configuration.forceUpdateView ?? GuardViews.update(isPlain: setup.isPlain)
    }

    /// Whether the status blocks the program.
    package var isBlockedByStatus: Bool { view != nil }
    /// What is shown over the program: why a new version has failed, the view of the status, or that of the stop on this machine.
    package var display: (view: any OverlayView, content: OverlayContent)? {
        guard failure != nil || view != nil || localStop != nil else { return nil }
        guard var shown = failure == nil && view != nil ? content : statusContent() ?? content else { return nil }
        (shown.program, shown.tree) = (coveredProgram, treeFacts)
        if let failure {
            (shown.stage, shown.update, shown.message, shown.link) = (.updateRequired, failure, nil, nil)
            return (failureView, shown)
        }
        shown.localStop = localStop
        if let view { return (view, shown) }
        (shown.message, shown.since) = (localStop?.reason, localStop?.since)
        return (stopView, shown)
    }

    // MARK: OverlayWindow

    package func present(_ view: any OverlayView, content: OverlayContent) {
        self.view = view
        self.content = content
        cover()
    }

    package func update(_ content: OverlayContent) {
        self.content = content
        draw()
    }

    package func dismiss() {
        if localStop == nil { showFarewell() }
        view = nil
        showLocalStop()
    }

    /// Shows a notice over the program's screen, or takes it away with nil.
    package func notify(_ notice: OverlayNotice?) {
        let former = self.notice
        self.notice = notice
        guard lines == nil else { return }
        guard setup.isPlain else { return post(.notice(notice.map { NoticeWords.banner($0, size: size) })) }
        // The mark without words says nothing, and a notice is said once.
        guard let notice, notice.form == .line else {
            noticeForShell = nil
            return post(.notice(nil))
        }
        guard former?.rule.id != notice.rule.id || former?.phase != notice.phase || former?.form != notice.form else { return }
        let line = TextSanitizer.printable("\(notice.app.name): \(notice.texts[0])")
        noticeForShell = fate == .notStarted ? nil : line
        post(.tell(line: "bellerophon: \(line)", NoticeWords.banner(notice, size: size)))
    }

    // MARK: The end of a cover of lines

    /// Says in a last line that the cover goes, if the view is one of lines. The line stands for a moment, so that it is read.
    private func showFarewell() {
        guard failure == nil, let cover = display, let view = cover.view as? LinearView else { return }
        var frame = Frame(size)
        view.drawEnd(of: cover.content, in: &frame)
        post(.block(frame, response(to: cover.content)))
        farewell = time.schedule(after: Self.farewellTime) { [weak self] in self?.uncover() }
    }

    /// A view has come up.
    private func cover() {
        endFarewell()
        beginInteraction()
        onChange(true)
    }

    private func endFarewell() {
        farewell?.cancel()
        farewell = nil
    }

    private func uncover() {
        endFarewell()
        lines?.unblock()
        interaction.reset()
        post(.unblock)
        onChange(false)
    }

    // MARK: The stop on this machine

    /// Stops the program on this machine, or takes the stop back with nil. The view of a status stays above it.
    package func setLocalStop(_ stop: LocalStop?) {
        let had = localStop != nil
        if had, stop == nil, view == nil { showFarewell() }
        localStop = stop
        guard view == nil, failure == nil, had != (stop != nil) else { return draw() }
        showLocalStop()
    }

    /// Shows what is left when the status does not block the program: the stop on this machine, or the program.
    private func showLocalStop() {
        if display != nil {
            cover()
        } else if farewell == nil {
            uncover()
        }
    }

    // MARK: Updates

    package func makeUpdateService(for app: AppInfo) -> (any UpdateService)? { setup.updates }

    /// Shows why a new version has failed, until the person leaves.
    func showFailure(version: String?, end: LocalizedText, lines: [String]) {
        failure = UpdateReport(.broken(version: version, end: end, lines: lines))
        cover()
    }

    // MARK: The program

    /// Takes what the program does now.
    package func show(_ fate: CoveredProgram) {
        self.fate = fate
        pausedSince = fate == .paused ? pausedSince ?? Date() : nil
        endDue = nil
        if case .ending(let grace) = fate { endDue = time.now.advanced(by: grace) }
        showFate()
    }

    /// Takes what is known of everything that the program has started.
    package func show(_ summary: TreeSummary) {
        tree = summary
        draw()
    }

    private var treeFacts: ProgramTreeFacts? {
        guard let processes = tree.processes, processes > 0 else { return nil }
        return ProgramTreeFacts(
            processes: processes, means: tree.holding.text, pausedSince: pausedSince, notHeld: tree.notHeld)
    }

    private var coveredProgram: CoveredProgram {
        guard fate.isEnding || fate == .ended else { return fate }
        return .ending(after: max(.zero, endDue.map { endClock.duration(to: $0) } ?? .zero))
    }

    /// Where the time until the program's end begins: a view that stands still adds it to the time of its content.
    private var endClock: MonotonicInstant { content?.reducesMotion == true ? contentTime : time.now }

    /// Draws the line about the program, and again at each full second until the program is ended.
    private func showFate() {
        endTick?.cancel()
        draw()
        guard let endDue, content?.reducesMotion != true else { return }
        let left = time.now.duration(to: endDue)
        guard left > .zero else { return }
        endTick = time.schedule(after: BellerophonManager.untilNextSecond(left)) { [weak self] in self?.showFate() }
    }

    // MARK: Drawing

    package func draw(everyCell: Bool = false) {
        guard let (view, content) = display else { return }
        var frame = Frame(size)
        if let lines {
            if fate != .notStarted { isBlockedByStatus ? lines.block(content, statusResponse(to: content)) : lines.unblock() }
        } else {
            interaction.draw(view, content, glyphs: setup.isASCIIOnly ? .ascii : setup.look.glyphs, in: &frame)
        }
        post(.block(frame, response(to: content)))
        if everyCell { post(.repaint) }
    }

    /// The stronger of what the status and the stop on this machine do to the program.
    private func response(to content: OverlayContent) -> GuardResponse {
        .strongest([view == nil ? nil : statusResponse(to: content), localStop == nil ? nil : .pause]) ?? .cover
    }

    private func statusResponse(to content: OverlayContent) -> GuardResponse {
        content.stage == .updateRequired ? setup.policy.onUpdate : setup.policy.onKill
    }

    /// Takes the terminal's new size.
    package func resize(_ size: Size) {
        self.size = size
        if !setup.isPlain, notice != nil { notify(notice) }
        // The last line would not be drawn again.
        if farewell != nil { uncover() }
        draw()
    }

    // MARK: Keys

    /// Handles keys that were pressed on the cover.
    package func press(_ keys: [Key]) {
        for key in keys where display != nil { press(key, in: size) }
    }

    // MARK: OverlayExecutor

    package func sendToClipboard(_ text: String) -> Bool {
        if setup.copiesText { post(.pass(Array(Clipboard.request(text).utf8))) }
        return setup.copiesText
    }

    package func browse(_ address: String) -> String? { Browser.open(address) }

    package func runUpdate(_ command: UpdateCommand) {
        dueCommand = command
        post(.lend)
    }

    /// The terminal was left to the command. It is taken back afterwards, or the guard goes on with the new version.
    func terminalLent() {
        guard let updates = setup.updates, let command = dueCommand, let content = statusContent() else { return updateEnded() }
        updates.run(command, of: content.app.name, in: .ofThisProcess(content.phrases)) { [weak self] in self?.updateEnded() }
    }

    package func takeBackTerminal() { post(.takeBack) }

    /// Ends the program and starts the guard again, which starts the new version.
    package func restart(version: String?) {
        if let problem = setup.restart.problem {
            updateEnded()
            return sayCannotRestart(problem)
        }
        newVersion = version
        post(.restart(grace: setup.policy.restartGrace))
    }

    package func suspend() { post(.suspend) }
    package func quit() { post(.quit) }
}
