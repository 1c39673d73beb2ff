import CNcurses
import CPty
import Foundation
import Synchronization
import TerminalIO

/// Gives the terminal back when the process calls `exit` while a view is up, so that the last lines of the program are seen.
enum ExitRestoration {
    private static let held = Mutex<StandInTerminal?>(nil)
    private static let terminal = Mutex<Terminal?>(nil)

    private struct Terminal {
        var descriptor: Int32
        var output: TerminalOutput
        /// What leads from the full screen back to a shell.
        var reset: [UInt8]
    }

    private static let atExit: Void = {
        atexit { ExitRestoration.restoreFromView() }
    }()

    static func register(_ standIn: StandInTerminal) {
        _ = atExit
        held.withLock { $0 = standIn }
    }

    static func setTerminal(_ descriptor: Int32, _ output: TerminalOutput, reset: [UInt8]) {
        terminal.withLock { $0 = Terminal(descriptor: descriptor, output: output, reset: reset) }
    }

    static func forgetTerminal() { terminal.withLock { $0 = nil } }

    /// Gives the terminal back in any case, for an end of the process that the main queue does not handle.
    static func restore() {
        if restoreFromView() { return }
        guard let terminal = terminal.withLock({ $0 }) else { return }
        terminal.output.discard()
        terminal.output.write(CancelSequence.bytes + terminal.reset)
        terminal.output.flush(within: .milliseconds(500))
        try? OriginalModes.value?.apply(to: terminal.descriptor)
    }

    /// - Returns: false if no view is up.
    @discardableResult
    private static func restoreFromView() -> Bool {
        guard let standIn = held.withLock({ $0 }), standIn.isHolding else { return false }
        guard let terminal = terminal.withLock({ $0 }) else { return false }
        let output = terminal.output
        output.discard()
        let room = standIn.uncover()
        let isFullScreen = standIn.showsFullScreen
        let modes = isFullScreen ? OriginalModes.value : standIn.modes
        output.write(CancelSequence.bytes + room + standIn.giveBack() + (isFullScreen ? terminal.reset : []))
        output.flush(within: .milliseconds(500))
        try? modes?.apply(to: terminal.descriptor)
        return true
    }
}

/// The modes of the terminal before this process changed them.
enum OriginalModes {
    static var value: TerminalModes? {
        var modes = termios()
        return cncurses_original_modes(&modes) ? TerminalModes(modes) : nil
    }
}

/// Ends a control sequence or string of which the terminal may have a part.
enum CancelSequence {
    /// CAN, and ST for terminals that do not end a string at CAN.
    static let bytes: [UInt8] = [0x18, 0x1B, 0x5C]
}
