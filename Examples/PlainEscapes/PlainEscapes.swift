// A program without ncurses, with an async main: it draws with plain escape sequences, and reads keys in raw mode. One statement
// starts it again under a guard, which covers it and brings its screen back.

import Foundation
import TerminalGuard

@main
enum PlainEscapes {
    static func main() async {
        guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
            print("usage: PlainEscapes STATUS-URL")
            exit(64)
        }
        do {
            try await ProgramGuard.start(statusURL: url)
        } catch {
            print("PlainEscapes: \(error)")
            exit(70)
        }
        let modes = enterRawMode()
        var screen = Screen()
        screen.show()
        for await key in keys() {
            screen.last = key
            screen.draw()
        }
        screen.hide()
        leaveRawMode(modes)
    }

    /// The printable keys, until `q` was typed or the terminal is gone. A thread reads them, so that a task can wait.
    private static func keys() -> AsyncStream<String> {
        AsyncStream { stream in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "q") {
                    stream.yield((32..<127).contains(byte) ? String(UnicodeScalar(byte)) : "byte \(byte)")
                }
                stream.finish()
            }
        }
    }

    private static func enterRawMode() -> termios {
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        var raw = modes
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        return modes
    }

    private static func leaveRawMode(_ modes: termios) {
        var modes = modes
        tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
    }
}

/// The alternate screen with a frame of colours.
private struct Screen {
    var last = "none"
    private var count = 0

    func show() {
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        send("\u{1B}[2;4H\u{1B}[1;33;44m  PLAIN ESCAPES  \u{1B}[0m\u{1B}[4;4Hpress keys; q quits")
    }

    mutating func draw() {
        count += 1
        send("\u{1B}[6;4H\u{1B}[K\u{1B}[32mkey \(count): \(last)\u{1B}[0m")
    }

    func hide() { send("\u{1B}[?25h\u{1B}[?1049l") }

    private func send(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
