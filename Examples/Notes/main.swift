// A small ncurses program of its own. The lines marked "killable" are all that the library asks of it.
//
//   notes [FILE]
//
// With NOTES_STATUS_URL set, the status at that address can pause it or ask for an update.

import Bellerophon  // killable
import BellerophonCurses  // killable
import CNcurses
import Foundation

let environment = ProcessInfo.processInfo.environment
let given = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
let file: NoteFile
do {
    file = try NoteFile(url: given ?? NoteFile.defaultURL(environment: environment))
} catch {
    FileHandle.standardError.write(Data("notes: \(error.localizedDescription)\n".utf8))
    exit(1)
}

_ = cncurses_set_locale()
initscr()
cbreak()
noecho()
start_color()
use_default_colors()
init_pair(1, Int16(COLOR_CYAN), -1)
init_pair(2, Int16(COLOR_YELLOW), -1)

let window = CursesOverlayWindow()  // killable

var app = NotesApp(file: file)
loop: while true {
    app.draw()
    switch window.nextEvent(timeout: .seconds(1)) {  // killable: in place of getch()
    case .key(let key): if !app.handle(key) { break loop }
    case .timeout: continue
    case .quit: break loop
    }
}
window.close()  // in place of endwin()
