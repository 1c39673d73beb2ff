import CNcurses
import CPty
import Foundation
import TerminalIO
import TerminalUI

/// Leaving the screen and coming back to it, and the signals that cause it.
extension TerminalSession {
    /// How long the end waits for a terminal that does not take output.
    private static let patience = Duration.milliseconds(200)

    func received(_ number: Int32) {
        switch number {
        case SIGWINCH: resized()
        case SIGTSTP: suspend()
        case SIGCONT where lastResume.duration(to: .now) > .milliseconds(250): comeBack()
        case SIGCONT: break
        case SIGINT where isLent, SIGQUIT where isLent: break
        default: die(by: number)
        }
    }

    func resized() {
        guard !isLent, !isClosed, synchronizeSize() else { return }
        onResize?()
        setNeedsPaint(whole: true)
    }

    /// Stops the program and the processes of its group, as the terminal does for Control-Z: a shell script that has started the
    /// program would otherwise go on waiting for it.
    func stopGroup() {
        guard !isClosed else { return }
        takeOverFromDeputy()
        guard guardsProcess else { return suspend() }
        // First, because the shell takes the terminal as soon as its other processes stop.
        if !isLent { leaveScreen() }
        cpty_stop_self(SIGTSTP, true)
        comeBack()
    }

    /// Stops the program until its shell continues it. Does nothing if no shell could continue it.
    func suspend() {
        guard !isClosed else { return }
        takeOverFromDeputy()
        // A wrapper such as make stops first, and its shell may already own the terminal. Without ignoring SIGTTOU,
        // restoring the terminal would stop this process too early, and the raise below would stop it a second time.
        let handler = signal(SIGTTOU, SIG_IGN)
        if !isLent { leaveScreen(evenInBackground: true) }
        signal(SIGTTOU, handler)
        cncurses_raise_default(SIGTSTP, guardsProcess)
        comeBack()
    }

    /// Restores the screen after the program was stopped.
    func comeBack() {
        guard !isClosed else { return }
        lastResume = .now
        if !isLent { enterScreen() }
        overlayDidResume?()
        onResume?()
    }

    /// Restores the terminal and ends the process with the signal, so that the exit status shows it.
    /// - Parameter text: a line for the shell.
    func die(by number: Int32, saying text: String? = nil) {
        close(saying: text.map { TextSanitizer.printable($0) })
        onTermination?(number)
        cncurses_raise_default(number, false)
    }

    // MARK: The screen

    /// Whether the host's curses shows its screen on the terminal.
    private var hostShows: Bool { isGuest && coverage == .none }

    /// Leaves the screen, with the terminal in the modes of a shell.
    /// - Parameter evenInBackground: whether the modes are set while another process has the terminal. SIGTTOU must be ignored.
    func leaveScreen(evenInBackground: Bool = false) {
        receiveOutstandingReplies()
        restoreTitle()
        dropUnsentOutput()
        if hostShows {
            leaveHost()
        } else {
            setPasteMode(false)
            output.write(clearSequence)
            output.write(isGuest ? standIn?.leave() ?? [] : screen?.leave() ?? [])
        }
        output.flush(within: Self.patience)
        if evenInBackground || terminal.isForeground { try? shellModes.apply(to: terminal.input) }
    }

    /// The modes of a shell, as they were when this process started.
    private var shellModes: TerminalModes { OriginalModes.value ?? terminal.originalModes }

    /// Clears the alternate screen. Without clearing, tmux would wrap its full-width lines into the shell's screen if the
    /// window has become larger.
    private var clearSequence: [UInt8] {
        guard cncurses_capability("rmcup") != nil, let clear = cncurses_capability("clear") else { return [] }
        return Array(String(cString: clear).utf8)
    }

    private func leaveHost() {
        // A terminal that takes nothing would keep the host's curses waiting.
        output.flush(within: Self.patience)
        guard takesOutput else { return output.write(Array(resetBytes.utf8)) }
        guard !isendwin() else { return }
        if hostNotice.show(nil, glyphs) { doupdate() }
        def_prog_mode()
        output.write(clearSequence)
        output.flush(within: Self.patience)
        endwin()
    }

    func enterScreen() {
        if hostShows {
            // After SIGSTOP the terminal's modes may be the shell's and must not be saved as the host's.
            if !isendwin() { endwin() }
            reset_prog_mode()
        } else {
            terminal.set(coverage == .covered ? coverModes : programModes)
            if isGuest {
                output.write(standIn?.comeBack() ?? [])
            } else {
                _ = screen?.leave()
                setPasteMode(true)
            }
        }
        showTitleAgain()
        if synchronizeSize() { onResize?() }
        setNeedsPaint(whole: true)
    }

    /// Hands the terminal, in a shell's modes, to another program. Timers and signals continue.
    func lend() {
        guard !isLent, !isClosed else { return }
        takeOverFromDeputy()
        leaveScreen()
        isLent = true
        stopReading()
    }

    /// Ends ``lend()`` and redraws everything.
    func reclaim() {
        guard isLent, !isClosed else { return }
        isLent = false
        enterScreen()
        watchInput()
        // The view may have gone meanwhile.
        if coverage == .uncovering {
            coverage = .covered
            uncover()
        }
    }

    func restoreOriginalModes() { terminal.set(shellModes) }

    /// Restores the terminal permanently. May be called twice.
    /// - Parameter text: a line that is seen afterwards.
    func close(saying text: String? = nil) {
        guard !isClosed else { return }
        takeOverFromDeputy()
        // Output that was stopped with Control-S would wait.
        terminal.continueOutput()
        stopReading()
        stopPainting()
        if coverage != .none, !isLent, isGuest {
            dropUnsentOutput()
            output.write(standIn?.uncover() ?? [])
        }
        if coverage != .none { giveBack() }
        if !isLent { leaveScreen() }
        if let text { writeLine(text) }
        output.flush(within: Self.patience)
        isClosed = true
        output.close()
        screen?.close()
        screen = nil
        restoreOriginalModes()
        unwatchSignals()
        ExitRestoration.forgetTerminal()
    }

    /// Writes a line to standard error. A terminal that takes no output does not keep the end waiting.
    private func writeLine(_ text: String) {
        guard OuterTerminal.isErrorRedirected(output: terminal.output) else { return write(text + "\r\n") }
        FileDescriptorOutput.write(text + "\n", to: STDERR_FILENO, patience: FileDescriptorOutput.lastPatience)
    }

    // MARK: Pastes

    /// Sets bracketed paste, which is on in a program with ``CursesTerminal``. A host's modes are its own, and a view sets its own.
    func setPasteMode(_ marked: Bool) {
        guard kind.takesOperatingSystemCommands, marked != pastesAreMarked else { return }
        pastesAreMarked = marked
        write(marked ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
    }
}
