// A program that starts itself under a guard, and then runs a shell script in its own place.
//
// GuardProbe sh STATUS-URL SCRIPT ARGUMENT…   `$0` of the script is the path of this program
// GuardProbe exit STATUS-URL SCRIPT      as sh, but refuses to start if the status blocks it
// GuardProbe threads STATUS-URL          after a thread was started
// GuardProbe task STATUS-URL             without await in a task
// GuardProbe spawned STATUS-URL SCRIPT   as sh, but in a further process that it has started before
//
// $PROBE_UPDATE_COMMAND is run when an update is required and the person presses u.

import Foundation
import TerminalGuard

let words = CommandLine.arguments
guard words.count >= 3, let url = URL(string: words[2]) else {
    print("usage: GuardProbe sh | exit | threads | task | spawned STATUS-URL [SCRIPT]")
    exit(64)
}

/// Starts this program under its guard, or says why not.
@MainActor
func start() {
    var options = ProgramGuard.Options()
    // On a busy machine the start waits for the status, so that nothing is said about a late one.
    options.startTimeout = .seconds(60)
    if words[1] == "exit" { options.start = .exit }
    var app = AppInfo(name: "probe", version: "1.0.0")
    app.updateCommand = ProcessInfo.processInfo.environment["PROBE_UPDATE_COMMAND"]
    do {
        try ProgramGuard.start(statusURL: url, app: app.updateCommand == nil ? .current : app, options: options)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(70)
    }
}

/// Runs the script in place of this process, with the further arguments unchanged.
func runScript() -> Never {
    let script = words.count > 3 ? words[3] : ""
    var arguments = ["sh", "-c", script, words[0]].map { (text: String) in strdup(text) }
    arguments += (min(4, words.count)..<words.count).map { CommandLine.unsafeArgv[$0] } + [nil]
    execv("/bin/sh", &arguments)
    exit(71)
}

/// Runs this program once more, and returns its exit status.
func spawnThisProgram() -> Int32 {
    var arguments = words.map { (text: String) in strdup(text) } + [nil]
    var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
    environment += [strdup("GUARD_PROBE_CHILD=1"), nil]
    defer { (arguments + environment).forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, words[0], nil, nil, &arguments, &environment) == 0 else { return 71 }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status >> 8 & 0xFF
}

switch words[1] {
case "threads":
    Thread.detachNewThread { while true { sleep(600) } }
    start()
case "task":
    Task { @MainActor in start() }
    RunLoop.main.run()
case "spawned":
    if getenv("GUARD_PROBE_CHILD") == nil { exit(spawnThisProgram()) }
    unsetenv("GUARD_PROBE_CHILD")
    start()
    runScript()
default:
    start()
    runScript()
}
