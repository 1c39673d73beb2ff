// A small ncurses program with a kill view and an update view of its own.

import BellerophonCurses
import CNcurses
import Foundation

guard CommandLine.arguments.count == 2 else {
    print("usage: OwnView STATUS-URL")
    exit(64)
}
let url: URL
do {  // before initscr(), so that an error can be read
    url = try KillSwitch.statusURL(CommandLine.arguments[1])
    try CursesTerminal.check()
} catch {
    print("OwnView: \(error)")
    exit(64)
}

initscr()
cbreak()
noecho()

/// Draws the program's only line.
func draw(tally: Int) {
    erase()
    addstr("Tally: \(tally)    + adds one, q quits\n")
    refresh()
}

let app = AppInfo(name: "tally", version: "1.0.0", link: "https://tally.example.com/get")
let killSwitch = try KillSwitch.start(statusURL: url, app: app) { config in
    config.killSwitchView = ClosedView()
    config.forceUpdateView = OutdatedView()
}

var tally = 0
draw(tally: tally)
while let key = killSwitch.window.nextKey() {
    if key == .character("q") { break }
    if key == .character("+") { tally += 1 }
    draw(tally: tally)
}
exit(killSwitch.close().exitStatus)
