import Foundation
import TerminalUI

/// The output of a command. All text is sanitised, so that no control sequence from any source reaches the terminal.
enum StandardOutput {
    static func print(_ text: String) {
        Swift.print(TextSanitizer.printable(text))
    }
}

/// Messages for people on standard error, sanitised in the same way.
enum StandardError {
    static func print(_ text: String) {
        FileHandle.standardError.write(Data((TextSanitizer.printable(text) + "\n").utf8))
    }
}
