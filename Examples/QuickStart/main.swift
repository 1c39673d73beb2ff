// The smallest killable program: it prints the keys that it receives.

import BellerophonCurses
import CNcurses
import Foundation

/// Handles a key.
func handle(_ key: Key) {
    addstr("\(key)\n")
    refresh()
}

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: QuickStart STATUS-URL")
    exit(64)
}

initscr()
cbreak()
noecho()
addstr("Press keys; q quits.\n")
refresh()

let killSwitch = KillSwitch.start(statusURL: url)
while let key = killSwitch.window.nextKey() {  // in place of getch()
    if key == .character("q") { break }
    handle(key)
}
killSwitch.close()  // in place of endwin()
