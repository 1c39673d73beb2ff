import Foundation
import TestSupport
import Testing

/// In each terminal a program is covered and comes back.
@Suite(
    "Sessions: the guard in other terminals",
    .enabled(if: GuardedTerminal.missing.isEmpty, "not installed: \(GuardedTerminal.missing.joined(separator: ", "))"))
struct GuardTerminalsTests {
    @Test(
        arguments: zip(
            GuardedTerminal.allCases,
            [GuardProgram.drawnShell, .drawnPager, .drawnEditor, .drawnShell, .drawnPager, .drawnEditor]))
    func itComesBack(terminal: GuardedTerminal, program: GuardProgram) async throws {
        try await terminal.expectReturn(of: program)
    }
}

/// In each terminal a shell, an editor, a pager and a database's client are covered and come back.
@Suite("Sessions: every program in every terminal")
struct GuardTerminalsProof {
    @Test(arguments: GuardedTerminal.allCases, GuardProgram.drawn)
    func itComesBack(terminal: GuardedTerminal, program: GuardProgram) async throws {
        try await terminal.expectReturn(of: program)
    }
}

/// A terminal that a person may have, with the guard in it.
enum GuardedTerminal: CaseIterable, Sendable {
    case tmux, tmuxWithoutAlternateScreen, screen, screenWithDebiansSettings, mosh, xterm

    private static let debianSettings = "/etc/screenrc"

    /// What is not installed of the terminals and programs; empty if nothing is missing.
    static let missing =
        GuardProgram.missing + ["screen", "mosh-server", "mosh-client"].filter { Products.find($0) == nil }
        + (FileManager.default.fileExists(atPath: debianSettings) ? [] : [debianSettings])
        + (XtermUnderTest.isInstalled ? [] : ["xterm and Xvfb"])

    /// Covers a program, and checks that it comes back.
    func expectReturn(of program: GuardProgram) async throws {
        switch self {
        case .tmux:
            try await Self.expectReturn(of: program) {
                try await TerminalUnderTest("/bin/sh", arguments: [$1], home: $0, options: ["status": "off"])
            }
        case .tmuxWithoutAlternateScreen:
            try await Self.expectReturn(of: program) {
                try await TerminalUnderTest("/bin/sh", arguments: [$1], home: $0, options: ["alternate-screen": "off"])
            }
        case .screen: try await Self.expectReturn(of: program) { try await Self.screen(settings: "", home: $0, script: $1) }
        case .screenWithDebiansSettings:
            try await Self.expectReturn(of: program) {
                try await Self.screen(settings: "source \(Self.debianSettings)\n", home: $0, script: $1)
            }
        case .mosh: try await Self.expectReturn(of: program) { try await Self.mosh(home: $0, script: $1) }
        case .xterm: try await Self.expectReturnInXterm(program)
        }
    }

    private static func expectReturnInXterm(_ program: GuardProgram) async throws {
        let status = try StatusSwitch()
        let home = try TestFolder()
        let xterm = try await XtermUnderTest(["/bin/sh", prepare(program, by: status, in: home)], home: home)
        let before = try await xterm.wait(for: program.readyText)
        status.kill()
        try await xterm.wait(for: "SERVICE PAUSED", StatusSwitch.message, "d details")
        status.restore()
        try await eventually("the same screen") { try await xterm.screen == before ? () : nil }
    }

    // MARK: Steps

    /// Covers a program in a terminal, and checks that everything is back and that typing goes on where it was.
    private static func expectReturn(
        of program: GuardProgram, in start: (_ home: TestFolder, _ script: String) async throws -> TerminalUnderTest
    ) async throws {
        let status = try StatusSwitch()
        let home = try TestFolder()
        let terminal = try await start(home, prepare(program, by: status, in: home))
        try await terminal.wait(for: program.readyText)
        let before = try await View(terminal.settledSnapshot())
        try await terminal.cover(by: status)
        status.restore()
        do {
            try await terminal.pollScreen("the same screen") { try await View(terminal.snapshot()) == before ? () : nil }
        } catch let error as TestError {
            throw try await TestError("\(error.subject), but:\n\(View(terminal.snapshot()))", detail: "Before:\n\(before)")
        }
        try await terminal.typeOnceUncovered(program.inputs[0], for: program.reply)
    }

    /// What a person sees: every row with its colours, and the cursor.
    private struct View: Equatable, Sendable, CustomStringConvertible {
        let rows: [String]
        let cursor: [String]

        init(_ snapshot: TerminalSnapshot) {
            rows = Array(snapshot.rows.suffix(Int(snapshot("pane_height")) ?? 0))
            cursor = ["cursor_x", "cursor_y", "cursor_flag"].map { snapshot($0) }
        }

        var description: String { (rows + ["cursor: \(cursor)"]).joined(separator: "\n") }
    }

    /// Writes the script that runs a program under the guard.
    private static func prepare(_ program: GuardProgram, by status: StatusSwitch, in home: TestFolder) async throws -> String {
        try GuardProgram.writeDrawnFiles(in: home)
        let address = program.name == "psql" ? try await PostgresServer.makeDatabase() : ""
        try home.write("export DATABASE='\(address)'\n\(program.command)\n", to: "program")
        return try home.write("cd \"$HOME\"\nexec \(guardCommand(by: status)) /bin/sh program\n", to: "guarded")
    }

    /// GNU screen in a terminal. It ends with the terminal.
    private static func screen(settings: String, home: TestFolder, script: String) async throws -> TerminalUnderTest {
        let folder = home.path("screens")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let file = try home.write("\(settings)startup_message off\nautodetach off\n", to: "screenrc")
        return try await TerminalUnderTest(
            try #require(Products.find("screen")), arguments: ["-U", "-c", file, "/bin/sh", script],
            environment: ["SCREENDIR": folder], home: home)
    }

    /// A client of mosh in a terminal, with a server on the loopback interface. The server ends with its client, or a minute
    /// after it has heard from it for the last time.
    private static func mosh(home: TestFolder, script: String) async throws -> TerminalUnderTest {
        let connection = """
            cd "$HOME"
            server=$(MOSH_SERVER_NETWORK_TMOUT=60 mosh-server new -i 127.0.0.1 -p 60000:61000 -- /bin/sh guarded 2>mosh.log)
            set -- $(printf '%s\\n' "$server" | grep '^MOSH CONNECT')
            MOSH_KEY=$4 exec mosh-client 127.0.0.1 "$3"
            """
        return try await TerminalUnderTest("/bin/sh", arguments: [home.write(connection, to: "mosh.sh")], home: home)
    }
}
