import Foundation
import TestSupport
import Testing

/// The terminal during a session: sizes, stops, signals, exits.
@Suite("Sessions: the terminal")
struct TerminalSessionTests {
    private let server: HostileServer

    init() throws {
        server = try HostileServer(Status.paused)
    }

    @Test func thePauseFollowsEverySize() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        for (columns, rows) in [(40, 12), (200, 60), (24, 5), (120, 36)] {
            try await terminal.resize(columns: columns, rows: rows)
            try await terminal.wait(until: "the view fills \(columns)×\(rows)") { screen in
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
                return screen.uppercased().contains("PAUSED") && lines.contains { $0.contains("quit") || rows < 6 }
            }
        }
        try await terminal.resize(columns: 1, rows: 1)
        try await terminal.wait(for: "■")
        try await terminal.resize(columns: 80, rows: 24)
        try await terminal.wait(for: "Back at 14:30 UTC.")
        #expect(try await terminal.quits())
    }

    @Test("Suspending restores the terminal, and fg shows the view again")
    func suspendReturnsTerminal() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        try await terminal.suspend()
        try await terminal.waitUntilGivenBack()
        try await terminal.wait(whileShowing: "SERVICE PAUSED")

        try await terminal.resize(columns: 60, rows: 20)
        let asked = server.requests.count
        try await terminal.resume()
        try await terminal.wait(for: "SERVICE PAUSED")
        _ = try await server.request(number: asked + 1)
        server.reply = Status.live
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    /// Signals that end a process by default, the first three with a special message.
    private static let ends = {
        let common = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
        #if os(Linux)
        return common + [SIGIO, SIGPWR, SIGSTKFLT, 40]
        #else
        return common
        #endif
    }()

    @Test(arguments: ends)
    func aSignalEndsItAndGivesTheTerminalBack(signal: Int32) async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        try terminal.signal(signal)
        try await terminal.expectEnd(.signalled(signal))
    }

    @Test(arguments: [SIGSEGV, SIGILL, SIGABRT])
    func aCrashGivesTheTerminalBack(signal: Int32) async throws {
        let server = try HostileServer(Status.live)
        // The crash report takes long if the debugger's symbols are read.
        let terminal = try await TerminalUnderTest.running(
            against: server, environment: ["SWIFT_BACKTRACE": "enable=no"])
        try await terminal.wait(for: "● LIVE")
        try terminal.signal(signal)
        try await terminal.expectEnd(.signalled(signal))
    }

    /// The toolchain's crash reporter returns when the fault does not come again.
    @Test(
        "A fault that another process sends ends the program where a crash reporter is installed", arguments: [SIGSEGV, SIGABRT])
    func aSentFaultEndsIt(signal: Int32) async throws {
        let terminal = try await TerminalUnderTest.running(
            against: server, environment: ["SWIFT_BACKTRACE": "symbolicate=off,timeout=none"])
        try await terminal.wait(for: "SERVICE PAUSED")
        try terminal.signal(signal)
        try await terminal.expectEnd(.signalled(signal))
    }

    /// No key is pressed: the crash report must not wait for one, and drawing must not mix with it.
    @Test("A crash on another thread restores the terminal before the report")
    func crashIsReportedAfterReset() async throws {
        // Reading symbols takes long, so it is off. `timeout=none` makes a report that waits for a key wait without
        // limit.
        let terminal = try await TerminalUnderTest(
            "FaultProbe", arguments: ["crash"], environment: ["SWIFT_BACKTRACE": "symbolicate=off,timeout=none"])
        #expect([.signalled(SIGILL), .signalled(SIGTRAP)].contains(try await terminal.waitForExit()))
        #expect(try await terminal.state() == .givenBack)
        let output = terminal.output
        let reset = try #require(output.range(of: "\u{1B}[?1049l"))
        #expect(!output[..<reset.lowerBound].isEmpty && output[..<reset.lowerBound].contains("ticktick"))
        let report = output[reset.upperBound...]
        #expect(!report.contains("ticktick") && !report.contains("tocktock"))
        #expect(report.contains("rashed") && report.contains("Backtrace took"), "\(report)")
        // The runtime ends its own line with "failed" if the report ended early. Its warning "failed to suspend thread"
        // is harmless: it stops all threads while they may be starting, and looks again.
        let lines = report.split(whereSeparator: \.isNewline).filter { !$0.contains("failed to suspend thread") }
        #expect(!lines.contains { $0.contains("failed") }, "\(report)")
    }

    @Test func aClosedTerminalEndsIt() async throws {
        let server = try HostileServer(Status.live)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.closeTerminal() == .signalled(SIGHUP))
    }

    @Test(
        arguments: [
            (["TERM": "no-such-terminal"], #""no-such-terminal""#),
            (["TERM": nil], "TERM is not set"),
        ] as [([String: String?], String)])
    func anUnfitTerminalIsToldInOneLine(environment: [String: String?], reason: String) async throws {
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["demo"], environment: environment, columns: 200)
        #expect(try await terminal.waitForExit() == .exited(1))
        let screen = try await terminal.wait(for: "bellerophon: ", reason)
        #expect(screen.hasPrefix("bellerophon: "))
        #expect(screen.split(separator: "\n").count == 1)
        #expect(try await terminal.state() == .givenBack)
    }

    @Test(arguments: [["LANG": "C"], ["TERM": "linux"]])
    func everyTerminalHasAViewThatItCanShow(environment: [String: String]) async throws {
        let terminal = try await TerminalUnderTest.running(against: server, environment: environment)
        let screen = try await terminal.wait(for: "#  SERVICE PAUSED", "q quit")
        #expect(screen.utf8.allSatisfy { $0 < 0x80 })
        #expect(try await terminal.quits())
    }

    @Test("A UTF-8 locale that is not installed shows every character")
    func missingLocale() async throws {
        let terminal = try await TerminalUnderTest.running(against: server, environment: ["LANG": "xx_YY.UTF-8"])
        try await terminal.wait(for: "■  SERVICE PAUSED", "q quit")
        #expect(try await terminal.quits())
    }

    @Test("The option --color truecolor is refused on a terminal without direct colours")
    func missingTruecolorIsRefused() async throws {
        let terminal = try await TerminalUnderTest("bellerophon", arguments: ["demo", "--color", "truecolor"], columns: 200)
        #expect(try await terminal.waitForExit() == .exited(1))
        try await terminal.wait(for: "has no direct colours; try --color 256")
        #expect(try await terminal.state() == .givenBack)
    }

    // MARK: The background

    /// The reply of a terminal with a white background, as XTerm sends it.
    private static let white = Array("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\".utf8)

    @Test func theThemeFollowsTheBackgroundOfTheTerminal() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        try await terminal.waitForOutput("\u{1B}]11;?")
        let dark = try await terminal.styledScreen
        #expect(dark.contains("38;5;203m"), "without a reply the theme is dark")
        // Whether the reply still counts depends on the speed of this machine. In any case it is no key.
        try await terminal.sendBytes(Self.white)
        try await terminal.press("d")
        try await terminal.wait(for: "SERVICE PAUSED · details")
        try await terminal.press("d")
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        #expect(try await terminal.quits())
    }

    @Test func theEnvironmentStatesTheBackground() async throws {
        let terminal = try await TerminalUnderTest.running(against: server, environment: ["COLORFGBG": "0;15"])
        try await terminal.wait(for: "SERVICE PAUSED", "d details")
        #expect(try await terminal.styledScreen.contains("38;5;160m"))
        #expect(try await terminal.quits())
    }

    @Test func stateIsWordAndGlyphWithoutColour() async throws {
        let terminal = try await TerminalUnderTest.running(against: server, environment: ["NO_COLOR": "1"])
        try await terminal.wait(for: "■  SERVICE PAUSED")
        let styled = try await terminal.styledScreen
        let colours = styled.matches(of: /\u{1b}\[[0-9;]*\b(3[0-7]|4[0-7]|38|48|9[0-7])\b[0-9;]*m/)
        #expect(colours.isEmpty)
    }
}
