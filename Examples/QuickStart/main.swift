// The smallest program with a kill switch: it prints the keys that it receives.

import BellerophonCurses
import CNcurses
import Foundation

do {
    // Before initscr(), so that an error can be read.
    let url = try KillSwitch.statusURL(CommandLine.arguments.dropFirst().first ?? "")
    try CursesTerminal.check()

    initscr()
    cbreak()
    noecho()
    addstr("Press keys; q quits.\n")
    refresh()

    let killSwitch = try KillSwitch.start(statusURL: url)
    while let key = killSwitch.window.nextKey(), key != .character("q") {  // in place of getch()
        addstr("\(key)\n")
        refresh()
    }
    exit(killSwitch.close().exitStatus)  // in place of endwin()
} catch {
    print("QuickStart: \(error)")
    exit(64)
}
