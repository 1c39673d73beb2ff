// A program that starts an editor, as git does for a message. One statement starts it again under a guard, which covers whatever is
// on the screen, the editor too.

import Foundation
import TerminalGuard

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: AskEditor STATUS-URL")
    exit(64)
}
do {
    try ProgramGuard.start(statusURL: url)
} catch {
    print("AskEditor: \(error)")
    exit(70)
}

/// Opens a text in the person's editor, and returns the text that was saved; nil if the editor has failed.
func edit(_ text: String) throws -> String? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("message-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    setenv("MESSAGE_FILE", file.path, 1)
    // A `Process` of Foundation would run it in the background of the terminal on Linux, where an editor can't read keys.
    guard system("${VISUAL:-${EDITOR:-vi}} \"$MESSAGE_FILE\"") == 0 else { return nil }
    return try String(contentsOf: file, encoding: .utf8)
}

print("Your editor opens for a message.")
guard let message = try edit("Write a message here, save it and quit.\n") else {
    print("The editor has failed; there is no message.")
    exit(1)
}
print("The message has \(message.split(whereSeparator: \.isWhitespace).count) words.")
