// The smallest killable program: it prints the keys that it receives.

import BellerophonCurses
import CNcurses
import Foundation

/// Handles a key.
func handle(_ key: Key) {
    addstr("\(key)\n")
    refresh()
}

guard CommandLine.arguments.count == 2 else {
    print("usage: QuickStart STATUS-URL")
    exit(64)
}
let url: URL
do {  // before initscr(), so that an error can be read
    url = try KillSwitch.statusURL(CommandLine.arguments[1])
    try CursesTerminal.check()
} catch {
    print("QuickStart: \(error)")
    exit(64)
}

initscr()
cbreak()
noecho()
addstr("Press keys; q quits.\n")
refresh()

let killSwitch = try KillSwitch.start(statusURL: url)
while let key = killSwitch.window.nextKey() {  // in place of getch()
    if key == .character("q") { break }
    handle(key)
}
exit(killSwitch.close().exitStatus)  // in place of endwin()
