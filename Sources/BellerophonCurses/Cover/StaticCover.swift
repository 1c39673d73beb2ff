import Bellerophon
import BellerophonViews
import CNcurses
import CPty
import Foundation
import Synchronization
import TerminalIO
import TerminalShadow
import TerminalUI

/// Covers the program while its main queue is not served: with a frame that stands still, and without curses, which belongs to the
/// main thread.
///
/// It moves the program's descriptors as a view does (``StandInTerminal``), so no key reaches the program, and nothing that it
/// writes is seen. Control-C stays a signal and ends the program.
final class StaticCover: OverlayDeputy {
    /// What the session shows on the terminal.
    enum Session: Sendable {
        /// Another program's screen, or it is changing what it shows: the deputy keeps away.
        case away
        case program
        /// A view.
        /// - modes: the modes of the terminal before it.
        case view(modes: TerminalModes?)
    }

    /// What the deputy has done to the terminal.
    enum Phase: Equatable, Sendable {
        case none
        /// Its frame is on the terminal.
        case up
        /// Its frame was taken away, and the program's curses has not painted yet.
        case removed
    }

    /// What is known of the terminal.
    struct Terminal: Sendable {
        let input: Int32
        let output: Int32
        /// The standard descriptor that leads to the terminal.
        let standard: Int32
        let look: TerminalLook
        let isASCIIOnly: Bool
        let dialect: TerminalDialect
        let hasAlternateScreen: Bool
        /// Whether a host opened the screen.
        let isGuest: Bool
        /// The modes that the program of this library has set on its screen, as control sequences.
        let screenModes: String
    }

    private struct State: Sendable {
        var session = Session.away
        var phase = Phase.none
        /// The modes of the terminal before the frame.
        var modes: TerminalModes?
        var size = TerminalSize(columns: 80, rows: 24)
        var standIn: StandInTerminal?
        /// What the terminal shows once the frame is gone. Only the main thread can paint what the program shows.
        var farewell = ""
        var writer: FrameWriter
    }

    private let terminal: Terminal
    private let output: TerminalOutput
    private let state: Mutex<State>

    init(_ terminal: Terminal, output: TerminalOutput) {
        self.terminal = terminal
        self.output = output
        state = Mutex(State(writer: FrameWriter(terminal.look, hyperlinks: false, asciiOnly: terminal.isASCIIOnly)))
    }

    // MARK: The main thread

    /// Says what the session shows.
    func setSession(_ session: Session) { state.withLock { $0.session = session } }

    var phase: Phase { state.withLock { $0.phase } }

    /// The pseudo-terminal that takes the place of the terminal; nil before the first view.
    var standIn: StandInTerminal? { state.withLock { $0.standIn } }

    /// Makes the pseudo-terminal, if there is none. Nil with too many open files, for example.
    func makeStandIn(modes: TerminalModes?, size: TerminalSize) -> StandInTerminal? {
        state.withLock { Self.standIn(&$0, modes: modes, size: size) }
    }

    /// The modes of the terminal before the frame.
    var modesBeforeFrame: TerminalModes? { state.withLock { $0.modes } }

    /// Hands the terminal to the session, which covers the program itself.
    /// - Returns: whether a frame is up. The program's descriptors are then moved already.
    @discardableResult
    func handOver() -> Bool {
        state.withLock { state in
            defer { state.phase = .none }
            state.session = .away
            return state.phase == .up
        }
    }

    /// The program's curses has painted its screen.
    func programHasPainted() {
        state.withLock { if $0.phase == .removed { $0.phase = .none } }
    }

    /// What the terminal shows, as far as it is known.
    func screen(_ size: Size, isFullScreen: Bool) -> ScreenCover {
        var cover = ScreenCover(
            columns: size.columns, rows: size.rows, dialect: terminal.dialect, hasAlternateScreen: terminal.hasAlternateScreen)
        if terminal.hasAlternateScreen, isFullScreen { _ = cover.output(Array("\u{1B}[?1049h".utf8)) }
        if !terminal.screenModes.isEmpty { _ = cover.output(Array(terminal.screenModes.utf8)) }
        return cover
    }

    // MARK: Any thread

    func cover(_ content: OverlayContent) -> Bool {
        state.withLock { state in
            let isNew = state.phase != .up
            guard !isNew || begin(&state) else { return false }
            state.farewell = farewell(content)
            // A slow terminal gets the next frame.
            if isNew || output.isIdle { paint(content, &state) }
            return true
        }
    }

    private func begin(_ state: inout State) -> Bool {
        switch state.session {
        case .away: return false
        case .program:
            // A program that has left its screen runs another one, which has the terminal. Curses keeps this as a number.
            guard !terminal.isGuest || !isendwin(), occupyTerminal(&state) else { return false }
        case .view(let modes):
            // The window has taken the descriptors, and can't be served.
            guard let standIn = state.standIn, standIn.isHolding else { return false }
            state.size = presentSize
            state.modes = modes
            output.discard()
            output.write(CancelSequence.bytes)
        }
        // Control-C must end a program that handles no keys. A program that can't stop itself must not lose the terminal to a shell.
        try? state.modes?.screen(interrupts: true, stops: false).apply(to: terminal.input)
        state.writer.invalidate()
        state.phase = .up
        return true
    }

    /// Takes the program's descriptors, and makes room.
    private func occupyTerminal(_ state: inout State) -> Bool {
        state.size = presentSize
        state.modes = TerminalModes(of: terminal.input)
        guard let modes = state.modes, let standIn = Self.standIn(&state, modes: modes, size: state.size) else { return false }
        do throws(SystemError) {
            try standIn.replace(
                terminal.standard, modes: modes, size: state.size, cover: screen(state.size.cells, isFullScreen: true))
        } catch {
            return false
        }
        // A read that waits for a key must not get the next one.
        cpty_restart_waiting_calls()
        output.discard()
        output.write(CancelSequence.bytes + (terminal.isGuest ? standIn.cover() : []))
        return true
    }

    private func paint(_ content: OverlayContent, _ state: inout State) {
        let size = presentSize
        if size != state.size {
            state.size = size
            state.standIn?.resize(to: size)
            state.writer.invalidate()
        }
        var frame = Frame(size.cells)
        StillView.draw(content, glyphs: state.writer.glyphs, in: &frame)
        output.write(state.writer.bytes(for: frame))
    }

    func uncover() {
        state.withLock { state in
            guard state.phase == .up, let standIn = state.standIn else { return }
            output.discard()
            output.write(CancelSequence.bytes + standIn.uncover() + Array(state.farewell.utf8))
            let modes = standIn.modes ?? state.modes
            // What was typed on the view is not meant for the program.
            _ = cpty_drop_input(terminal.input)
            output.write(standIn.giveBack())
            try? modes?.apply(to: terminal.input)
            cpty_restart_waiting_calls()
            state.phase = .removed
        }
    }

    private func farewell(_ content: OverlayContent) -> String {
        let phrases = terminal.isASCIIOnly ? .english : content.phrases
        let name = TextSanitizer.sanitize(content.app.name, keepingNewlines: false, limit: 100)
        let lines = [phrases.spoken.available, phrases.program.drawsSoon].map { "  \($0.with(["name": name]))\r\n" }
        return "\u{1B}[m\u{1B}[H\u{1B}[2J" + lines.joined()
    }

    private var presentSize: TerminalSize {
        TerminalSize(of: terminal.output) ?? TerminalSize(columns: 80, rows: 24)
    }

    private static func standIn(_ state: inout State, modes: TerminalModes?, size: TerminalSize) -> StandInTerminal? {
        if state.standIn == nil { state.standIn = try? StandInTerminal(modes: modes, size: size) }
        return state.standIn
    }
}
