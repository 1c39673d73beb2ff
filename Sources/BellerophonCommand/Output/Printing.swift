import Foundation
import TerminalUI

/// The output of a command. All text is sanitised, so that no control sequence from any source reaches the terminal.
enum StandardOutput {
    static func print(_ text: String) {
        Swift.print(TextSanitizer.printable(text))
    }

    /// The lines of a report, with their labels in a column.
    static func text(of lines: [(label: String, text: String)]) -> String {
        lines.map { label, text in
            "\(label):".padding(toLength: 10, withPad: " ", startingAt: 0) + text.replacing("\n", with: "\n          ")
        }.joined(separator: "\n")
    }
}

/// Messages for people on standard error, sanitised in the same way.
enum StandardError {
    static func print(_ text: String) {
        FileHandle.standardError.write(Data((TextSanitizer.printable(text) + "\n").utf8))
    }
}
