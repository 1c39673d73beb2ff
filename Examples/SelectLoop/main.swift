// An ncurses program with a loop of its own around poll(2), which waits for keys and for the next second. It has no run loop and
// nothing of a kill switch but one statement: ProgramGuard starts it again under a guard, which covers it from outside.

import CNcurses
import Foundation
import TerminalGuard

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: SelectLoop STATUS-URL")
    exit(64)
}
do {
    try ProgramGuard.start(statusURL: url)
} catch {
    print("SelectLoop: \(error)")
    exit(70)
}

initscr()
cbreak()
noecho()
nodelay(cncurses_stdscr(), true)

let start = ContinuousClock.now
var lastKey = "none"
var count = 0
var isRunning = true
while isRunning {
    let (seconds, fraction) = (ContinuousClock.now - start).components
    erase()
    addstr("up for \(seconds) s; q quits\nkey \(count): \(lastKey)\n")
    refresh()
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let untilNextSecond = 1000 - Int32(fraction / 1_000_000_000_000_000)
    guard poll(&input, 1, untilNextSecond) >= 0 || errno == EINTR else { break }
    if input.revents & Int16(POLLHUP | POLLERR) != 0 { break }
    while true {
        let key = getch()
        if key < 0 { break }
        if key == Int32(UInt8(ascii: "q")) { isRunning = false }
        // KEY_RESIZE comes here, too, and the next turn draws everything again.
        count += 1
        lastKey = key > 32 && key < 127 ? String(UnicodeScalar(UInt8(key))) : "number \(key)"
    }
}
endwin()
