import CNcurses
import Foundation

/// What a signal does to an open screen.
extension TerminalSession {
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
        overlayDidResize?()
        onResize?()
        setNeedsPaint(whole: true)
    }

    /// Gives ncurses the terminal's present size. False where it had it.
    func synchronizeSize() -> Bool {
        var columns: Int32 = 0, rows: Int32 = 0
        guard cncurses_terminal_size(&columns, &rows), is_term_resized(rows, columns) else { return false }
        resizeterm(rows, columns)
        base?.invalidate()
        return true
    }

    /// Stops the program until its shell continues it. Where no shell could, nothing is stopped.
    func suspend() {
        guard !isClosed else { return }
        // A wrapper such as make stops first, and its shell may own the terminal by now: giving it back must not
        // stop us half-way, or the raise below would stop us a second time after the shell has continued us.
        let handler = signal(SIGTTOU, SIG_IGN)
        leaveScreen()
        signal(SIGTTOU, handler)
        cncurses_raise_default(SIGTSTP, guardsProcess)
        comeBack()
    }

    /// The program goes on after it was stopped.
    func comeBack() {
        guard !isClosed else { return }
        lastResume = .now
        if !isLent {
            // Stopped unasked, by SIGSTOP. The modes may be the shell's by now and must not be taken for ours.
            if !isendwin() { endScreen() }
            enterScreen()
        }
        overlayDidResume?()
        onResume?()
    }

    /// Gives the terminal back and ends the process by the signal, so that its exit status shows it.
    func die(by number: Int32) {
        close()
        onTermination?(number)
        cncurses_raise_default(number, false)
    }
}
