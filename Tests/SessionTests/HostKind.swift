import Foundation
import TestSupport

/// A kind of program that gets a kill switch, as one of the examples. The guide to them is docs/embedding.md.
///
/// | kind | covered by the next check | exact afterwards | keys withheld | exit status, signals | kept kill |
/// |---|---|---|---|---|---|
/// | ``screens`` | a view | cells, cursor, modes, title | yes | its own; 75 from a view | covered before it can be used |
/// | ``screenless`` | a line on standard error, and the end | — | — | its own; 75 after a kill | refused with a line |
///
/// Where there is no screen, nothing comes back after a kill, because the process has ended, and no keys are withheld, because
/// standard input is the tool's own and nothing reads it after the end. The test of the line checks in their place that nothing but
/// the line is written and that the work is saved.
struct HostKind: Sendable, CustomStringConvertible {
    let description: String
    let example: String
    /// The arguments after the address of the status.
    var arguments: [String] = []
    var environment: [String: String?] = [:]
    /// A text that the program shows once it takes keys, and never draws again.
    let readyText: String
    /// What is typed, and what the screen shows of it. It shows something else if other keys have arrived before.
    let typed: String
    let echo: String
    /// What is typed to end the program, and how it then ends.
    var ending = "q"
    var exitStatus = ExitStatus.exited(0)
    /// How SIGTERM ends it. An ncurses program without a kill switch of its own ends with 1: ncurses handles the signal.
    var endBySignal = ExitStatus.signalled(SIGTERM)
    /// Whether the program guards itself, so that it is not started while a kill holds. Otherwise it runs under the view.
    var isGuarded = true
    /// What the program itself adds to its screen when a view comes and goes.
    var drawnMeanwhile: [String] = []
    /// Programs without which it can't be tested.
    var needs: [String] = []

    func start(by status: String, home: TestFolder? = nil) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(example, arguments: [status] + arguments, environment: environment, home: home)
    }
}

extension HostKind {
    /// The kinds whose needs are installed.
    static let screens = [windowKeys, ownLoop, plainEscapes, asyncMain, editor, otherLanguage].filter { kind in
        kind.needs.allSatisfy { Products.find($0) != nil }
    }

    private static let windowKeys = HostKind(
        description: "ncurses, keys read by the window", example: "QuickStart", readyText: "Press keys; q quits.", typed: "k",
        echo: "q quits.\ncharacter(\"k\")", isGuarded: false)

    private static let ownLoop = HostKind(
        description: "ncurses, a loop of its own", example: "SelectLoop", readyText: "key 0: none", typed: "k", echo: "key 1: k",
        endBySignal: .exited(1))

    private static let plainEscapes = HostKind(
        description: "plain escape sequences", example: "PlainEscapes", readyText: "PLAIN ESCAPES", typed: "k",
        echo: "key 1: k")

    private static let asyncMain = HostKind(
        description: "ncurses, an async main", example: "AsyncClock", readyText: "-> active", typed: "k",
        echo: "key 1: character(\"k\")", isGuarded: false, drawnMeanwhile: ["active -> killed", "killed -> active"])

    private static let editor = HostKind(
        description: "starts an editor", example: "AskEditor",
        environment: ["VISUAL": "vim -u NONE -i NONE -nN"], readyText: "Write a message here", typed: "okind words",
        echo: "save it and quit.\nkind words", ending: "\u{1B}:cq\r", exitStatus: .exited(1), needs: ["vim"])

    private static let otherLanguage = HostKind(
        description: "in another language, started by a launcher", example: "Launcher",
        arguments: ["pad", "python3", repository.appendingPathComponent("Examples/Launcher/pad.py").path],
        readyText: "PAD: type something", typed: "k",
        echo: "typed: k", endBySignal: .exited(1), needs: ["python3"])
}

/// A kind of program that has no screen, and whose process a kill ends.
struct ScreenlessKind: Sendable, CustomStringConvertible {
    let description: String
    let example: String
    /// The shell command that runs `"$tool" "$url"` in the home folder.
    let command: String
    /// The first line that the tool writes.
    let firstLine: String
    /// The end of the line about a kill.
    let outcome: String
    /// What the tool has saved or said at its end, in the file `saved` or on the screen.
    let saved: String
    /// A command that runs the tool to its own end.
    let endingCommand: String

    static let all = [asynchronous, pipe]

    private static let asynchronous = ScreenlessKind(
        description: "no screen, asynchronous", example: "AsyncLineTool", command: #"exec "$tool" "$url""#,
        firstLine: "job 1 done", outcome: "it ends within 10 s", saved: "saved", endingCommand: #"exec "$tool" "$url" 1"#)

    /// Standard input is a pipe that never ends.
    private static let pipe = ScreenlessKind(
        description: "synchronous, in a pipe", example: "LineTool",
        command: #"rm -f in; mkfifo in; exec 3<>in; echo one >&3; exec "$tool" "$url" saved <&3"#, firstLine: "ONE",
        outcome: "it ends within 1 s", saved: "1", endingCommand: #"echo one | exec "$tool" "$url" saved"#)

    func start(_ command: String, by status: StatusSwitch, home: TestFolder) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "/bin/sh", arguments: ["-c", "cd \"$HOME\"; \(command)"],
            environment: ["tool": try Products.path(example), "url": status.url], columns: 100, home: home)
    }

    /// The line on standard error.
    func line(_ outcome: String) -> String { "\(example) is paused (127.0.0.1): \(StatusSwitch.message) (\(outcome))" }
}
