import Foundation
import TerminalIO
import TerminalUI

// The place of the job: in the foreground of the terminal, stopped, or in the background.
extension RelayLoop {
    var isForeground: Bool { terminal?.isForeground ?? false }

    /// In the background, nothing tells that the job has come to the foreground or that the terminal is gone.
    mutating func refreshForeground() {
        if terminal?.isGone != false {
            handle(.inputEnded)
        } else if isForeground {
            resumed()
        }
    }

    mutating func resumed() {
        // After SIGSTOP the terminal has the modes of whoever had it meanwhile.
        if holdsTerminal, isForeground { terminal?.leaveRawMode() }
        updateSize()
        handle(.resumed(isForeground: isForeground))
        report(.resumed)
    }

    mutating func takeTerminal() {
        do {
            try terminal?.enterRawMode()
            holdsTerminal = true
        } catch {
            followingEvents.append(.inputEnded)
        }
    }

    mutating func releaseTerminal() {
        flushTerminal()
        holdsTerminal = false
        terminal?.clearEmergencyReset()
        resetState = nil
        terminal?.leaveRawMode()
    }

    mutating func stopJob(by number: Int32) {
        flushTerminal()
        OwnProcess.stop(by: number, withGroup: terminal != nil)
        // The signal that has continued this process is handled here.
        let others = takeSignals().filter { $0 != SIGCONT }
        resumed()
        for number in others { handle(signal: number) }
    }

    mutating func updateEmergencyReset() {
        guard holdsTerminal, resetState != machine.resetState else { return }
        resetState = machine.resetState
        try? terminal?.setEmergencyReset(machine.emergencyReset)
    }

    mutating func updateSize() {
        guard let size = terminal?.size else { return }
        let cells = Size(columns: max(1, size.columns), rows: max(1, size.rows))
        if cells != machine.size {
            handle(.resized(cells))
            report(.resized(size.cells))
        }
        program.resize(size)
    }

    func resizeProgram(_ cells: Size) {
        var size = terminal?.size ?? TerminalSize(columns: cells.columns, rows: cells.rows)
        size.columns = cells.columns
        size.rows = cells.rows
        program.resize(size)
    }
}
