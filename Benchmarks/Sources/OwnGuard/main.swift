// Starts itself under a guard, and then runs a command in its own place.
//
//     own-guard STATUS-URL COMMAND ARGUMENT…

import Foundation
import TerminalGuard

guard CommandLine.argc >= 3, let url = URL(string: CommandLine.arguments[1]), let command = CommandLine.unsafeArgv[2] else {
    print("usage: own-guard STATUS-URL COMMAND ARGUMENT…")
    exit(64)
}
do {
    try ProgramGuard.start(statusURL: url)
} catch {
    print("own-guard: \(error)")
    exit(70)
}
// The arguments are ended by NULL.
execvp(command, CommandLine.unsafeArgv + 2)
print("own-guard: can't start \(String(cString: command))")
exit(71)
