import Foundation
import TerminalUI

/// A command's output. The last gate: nothing that a terminal acts on leaves the program, whoever wrote it.
enum StandardOutput {
    static func print(_ text: String) {
        Swift.print(TextSanitizer.printable(text))
    }
}

/// Text for people, beside a command's output, through the same gate.
enum StandardError {
    static func print(_ text: String) {
        FileHandle.standardError.write(Data((TextSanitizer.printable(text) + "\n").utf8))
    }
}
