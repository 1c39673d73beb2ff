// Runs a program in another language under a guard of its own. The program needs no change, and replaces this one. The program beside
// this file is written in Python:
//
//     swift run Launcher STATUS-URL pad python3 Examples/Launcher/pad.py

import Foundation
import TerminalGuard

let words = CommandLine.arguments
guard words.count >= 4, let url = URL(string: words[1]) else {
    print("usage: Launcher STATUS-URL NAME PROGRAM [ARGUMENT…]")
    exit(64)
}
do {
    // The views say the name, and the last status is kept under it.
    try ProgramGuard.start(statusURL: url, app: AppInfo(name: words[2]))
} catch {
    print("\(words[2]): \(error)")
    exit(70)
}
var arguments = words[3...].map { (text: String) in strdup(text) } + [nil]
execvp(words[3], &arguments)
perror(words[3])
exit(127)
