import CNcurses
import Foundation
import TerminalUI

/// The handling of signals.
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

    /// Passes the terminal's current size to ncurses. False if it did not change.
    func synchronizeSize() -> Bool {
        var columns: Int32 = 0, rows: Int32 = 0
        guard cncurses_terminal_size(&columns, &rows), is_term_resized(rows, columns) else { return false }
        resizeterm(rows, columns)
        base?.invalidate()
        return true
    }

    /// Stops the program until its shell continues it. Does nothing if no shell could continue it.
    func suspend() {
        guard !isClosed else { return }
        // A wrapper such as make stops first, and its shell may already own the terminal. Without ignoring SIGTTOU,
        // restoring the terminal would stop this process too early, and the raise below would stop it a second time.
        let handler = signal(SIGTTOU, SIG_IGN)
        leaveScreen()
        signal(SIGTTOU, handler)
        cncurses_raise_default(SIGTSTP, guardsProcess)
        comeBack()
    }

    /// Restores the screen after the program was stopped.
    func comeBack() {
        guard !isClosed else { return }
        lastResume = .now
        if !isLent {
            // The program was stopped by SIGSTOP. The terminal's modes may be the shell's and must not be saved as its
            // own.
            if !isendwin() { endScreen() }
            enterScreen()
        }
        overlayDidResume?()
        onResume?()
    }

    /// Restores the terminal and ends the process with the signal, so that the exit status shows it.
    /// - Parameter text: a line for the shell.
    func die(by number: Int32, saying text: String? = nil) {
        close()
        if let text { FileHandle.standardError.write(Data((TextSanitizer.printable(text) + "\n").utf8)) }
        onTermination?(number)
        cncurses_raise_default(number, false)
    }
}
