import CNcurses
import CPty
import Foundation
import Synchronization
import TerminalIO

/// Gives the terminal back when the process calls `exit` while a view is up, so that the last lines of the program are seen.
enum ExitRestoration {
    private static let held = Mutex<StandInTerminal?>(nil)
    /// What leads from the full screen back to a shell, and a descriptor of the terminal.
    private static let terminal = Mutex<(descriptor: Int32, reset: [UInt8])>((-1, []))
    private static let atExit: Void = {
        atexit { ExitRestoration.run() }
    }()

    static func register(_ standIn: StandInTerminal) {
        _ = atExit
        held.withLock { $0 = standIn }
    }

    static func setTerminal(_ descriptor: Int32, reset: [UInt8]) {
        terminal.withLock { $0 = (descriptor, reset) }
    }

    private static func run() {
        guard let standIn = held.withLock({ $0 }), standIn.isHolding else { return }
        let (descriptor, reset) = terminal.withLock { $0 }
        guard descriptor >= 0 else { return }
        let output = TerminalOutput(descriptor, mayWait: false)
        let room = standIn.uncover()
        let isFullScreen = standIn.showsFullScreen
        let modes = isFullScreen ? OriginalModes.value : standIn.modes
        output.write(CancelSequence.bytes + room + standIn.giveBack() + (isFullScreen ? reset : []))
        output.flush(within: .milliseconds(500))
        try? modes?.apply(to: descriptor)
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
