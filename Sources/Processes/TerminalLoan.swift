internal import CPty
import Foundation

/// The terminal of this process while a shell command has it. Afterwards it is as it was before, whatever the command has done to it:
/// a dialog that is killed leaves it without echo, and in the middle of a sequence.
package struct TerminalLoan {
    private let terminal: Int32
    private let modes: termios

    /// Takes note of the modes. nil: none of the standard descriptors is a terminal.
    package init?() {
        var modes = termios()
        let numbers = (0...2).map { cpty_standard($0) }
        guard let terminal = numbers.first(where: { cpty_is_terminal($0) && cpty_get_modes($0, &modes) == 0 }) else { return nil }
        (self.terminal, self.modes) = (terminal, modes)
    }

    /// Sets the modes from before, and takes the terminal back from a process group that has ended.
    /// - Parameter resetting: whether the terminal's own state is reset too (``resetSequence``).
    package func end(resetting: Bool) {
        var modes = modes
        _ = cpty_take_back(terminal, &modes)
        guard resetting, let output = [1, 2, 0].map({ cpty_standard($0) }).first(where: { cpty_is_terminal($0) }) else { return }
        let bytes = Self.resetSequence(terminal: getenv("TERM").map { String(cString: $0) } ?? "")
        // A terminal that takes nothing keeps nobody waiting.
        guard !bytes.isEmpty, cpty_wait_for_output(output, 200) else { return }
        bytes.withUnsafeBytes { _ = cpty_write(output, $0.baseAddress, $0.count) }
    }

    /// What ends a sequence that a program has begun, leads to the main screen, and brings the modes, margins, character sets and colours
    /// into the state that a shell expects. The cursor stays where it is.
    /// - Parameter terminal: the name of the terminal; nothing is sent to one that knows no sequences.
    static func resetSequence(terminal: String) -> [UInt8] {
        guard !terminal.isEmpty, terminal != "dumb" else { return [] }
        // A terminal that does not cancel a string ends it.
        var text = "\u{18}\u{1B}\\\u{1B}[?1047l"
        // The margins move the cursor.
        text += "\u{1B}7\u{1B}[?6l\u{1B}[?69l\u{1B}[r\u{1B}8"
        text += "\u{1B}[4l\u{1B}[20l\u{1B}[?1;5;9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026;2031;2048;9001l"
        text += "\u{1B}[?7;25h\u{1B}>\u{1B}(B\u{0F}"
        if terminal.hasPrefix("linux") { return Array((text + "\u{1B}[0m").utf8) }
        return Array((text + "\u{1B}]8;;\u{1B}\\\u{1B}[=0u\u{1B}[>4;0m\u{1B}[0m").utf8)
    }
}
