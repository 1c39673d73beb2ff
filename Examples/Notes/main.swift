// A small ncurses program. The lines marked "killable" are all that it needs to be killable.

import BellerophonCurses  // killable
import CNcurses
import Foundation

let launch = Launch.orExit()

initscr()
cbreak()
noecho()
start_color()
use_default_colors()
init_pair(1, Int16(COLOR_CYAN), -1)
init_pair(2, Int16(COLOR_YELLOW), -1)

let killSwitch = try KillSwitch.start(  // killable
    statusURL: launch.status, app: AppInfo(name: "notes", version: "1.0.0", updateCommand: launch.updateCommand))

var app = NotesApp(file: launch.file)
app.draw()
loop: while true {
    switch killSwitch.window.nextEvent(timeout: .seconds(1)) {  // killable: in place of getch()
    case .key(let key): if !app.handle(key) { break loop }
    case .timeout: break
    case .quit: break loop
    }
    app.draw()
}
exit(killSwitch.close().exitStatus)  // killable: in place of endwin()
