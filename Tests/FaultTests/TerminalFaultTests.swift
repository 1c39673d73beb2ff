import Foundation
import TerminalUI
import TestSupport
import Testing

/// Faults of a session in a real terminal. There are few tests, since each needs a terminal and a program.
@Suite("Faults of sessions")
struct TerminalFaultTests {
    private let server: HostileServer
    private let home: TestFolder

    init() throws {
        (server, home) = (try HostileServer(Self.paused), try TestFolder())
    }

    static let live = document(false)
    static let paused = document(true)

    private static func document(_ isPaused: Bool) -> Behaviour {
        .status(#"{"apiInactive":\#(isPaused),"forceUpdate":false,"retryInterval":1,"userMessage":"Back at 14:30 UTC."}"#)
    }

    @Test("Ten thousand resize signals end with the correct frame")
    func manyResizesEndCorrectly() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        for round in 0..<10 {
            for _ in 0..<1000 { try terminal.signal(SIGWINCH) }
            try await terminal.resize(columns: 60 + round * 4, rows: 20 + round)
        }
        try await terminal.wait(until: "the view fills 96×29") { screen in
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
            return screen.contains("SERVICE PAUSED") && lines.count == 29 && lines[28].contains("quit")
        }
        server.reply = Self.live
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    @Test("Sizes that no terminal has, and reports that no mouse sends, end nothing")
    func impossibleTerminal() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        for (columns, rows) in [(200, 40_000), (65_535, 65_535), (65_535, 1), (32_768, 32_768), (1, 1)] {
            try await terminal.setReportedSize(columns: columns, rows: rows)
            _ = try await server.request(number: server.requests.count + 1)
        }
        try await terminal.setReportedSize(columns: 80, rows: 24)
        try await terminal.wait(for: "SERVICE PAUSED", "Back at 14:30 UTC.")
        let report = "\u{1B}[<" + Array(repeating: "7", count: 34).joined(separator: ";") + "M"
        try await terminal.type(report + "\u{1B}[200~" + report + "\u{1B}[201~")
        server.reply = Self.live
        try await terminal.wait(for: "● LIVE")
        #expect(try await terminal.quits())
    }

    @Test("Stopping and continuing at random moments leaves the screen correct")
    func stopsKeepScreenCorrect() async throws {
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "SERVICE PAUSED")
        var random = SplitMix64(seed: Seed.of("stops of a program", default: 1))
        for round in 0..<40 {
            try terminal.signal(SIGSTOP)
            usleep(UInt32.random(in: 0..<3000, using: &random))
            if round % 10 == 5 { try await terminal.resize(columns: 70 + round, rows: 24) }
            try terminal.signal(SIGCONT)
            usleep(UInt32.random(in: 0..<3000, using: &random))
        }
        try await terminal.resize(columns: 80, rows: 24)
        try await terminal.wait(for: "Back at 14:30 UTC.")
        server.reply = Self.live
        try await terminal.wait(for: "● LIVE", without: "SERVICE PAUSED")
        #expect(try await terminal.quits())
    }

    @Test("A closed terminal ends the program and leaves complete files")
    func closedTerminalKeepsFiles() async throws {
        let journal = home.path("journal.jsonl")
        try await closeASession(with: server, journal: journal, home: home)
        let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        // The kill still applies at the next start without a reachable server.
        try server.stop()
        let next = try await TerminalUnderTest.running(against: server, home: home)
        try await next.wait(for: "SERVICE PAUSED")
        #expect(try await next.quits())
    }

    private func closeASession(with server: HostileServer, journal: String, home: TestFolder) async throws {
        let terminal = try await TerminalUnderTest.running(against: server, ["--journal", journal], home: home)
        try await terminal.wait(for: "SERVICE PAUSED")
        let start = ContinuousClock.now
        #expect(try await terminal.closeTerminal() == .signalled(SIGHUP))
        let took = start.duration(to: .now)
        Figures.record("closed terminal: the program ended within \(took)")
    }

    @Test("A terminal that is not read keeps no check, no file and no signal waiting")
    func unreadTerminal() async throws {
        let server = try HostileServer(Self.live)
        let terminal = try await TerminalUnderTest.running(
            against: server, ["--journal", home.path("journal.jsonl")], home: home)
        try await terminal.wait(for: "● LIVE")
        let program = terminal.processIdentifier
        try await terminal.whileNotRead {
            for round in 1...8 {
                let isPaused = !round.isMultiple(of: 2)
                server.reply = Self.document(isPaused)
                try await waitForKept(isPaused, in: home)
            }
            try await eventually("the last change in the journal") {
                (home.text("journal.jsonl") ?? "").split(separator: "\n").count >= 8 ? true : nil
            }
            try terminal.signal(SIGTERM)
            try await eventually("the end of the program") { kill(program, 0) != 0 ? true : nil }
        }
        #expect(try await terminal.waitForExit() == .signalled(SIGTERM))
    }

    /// Waits until the file of the last status says this. That a reply was sent does not tell that the program has it in time.
    private func waitForKept(_ isPaused: Bool, in home: TestFolder) async throws {
        let folder = home.url.appendingPathComponent("state/bellerophon")
        try await eventually("kept status") {
            let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
            let file = files.first { $0.lastPathComponent.hasPrefix("status-") && $0.pathExtension == "json" }
            let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
            return text?.contains(#""isInactive":\#(isPaused)"#) == true ? () : nil
        }
    }

    @Test func aFullDiskAndAStrangeFolderAreTold() async throws {
        let state = home.path("a folder 🐎 of state")
        for shell in ["trap '' XFSZ; ulimit -f 0", nil] {
            let terminal = try await TerminalUnderTest.running(
                against: server, home: home, environment: ["XDG_STATE_HOME": state], shell: shell)
            try await terminal.wait(for: "SERVICE PAUSED")
            #expect(try await terminal.quits())
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/bellerophon").contains { $0.hasPrefix("status-") })
    }

    @Test("The program runs without a home folder")
    func missingHomeIsTolerated() async throws {
        let server = try HostileServer(Self.live)
        let state = try TestFolder()
        let terminal = try await TerminalUnderTest.running(
            against: server,
            environment: [
                "HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_CACHE_HOME": state.path("cache"), "XDG_STATE_HOME": state.path("state"),
            ])
        try await terminal.wait(for: "● LIVE")
        server.reply = Self.paused
        try await terminal.wait(for: "SERVICE PAUSED")
        #expect(try await terminal.quits())
    }

    @Test func twoInstancesShareAStateFolder() async throws {
        let server = try HostileServer(Self.live)
        let (first, second) = (
            try await TerminalUnderTest.running(against: server, home: home),
            try await TerminalUnderTest.running(against: server, home: home)
        )
        try await first.wait(for: "● LIVE")
        try await second.wait(for: "● LIVE")
        server.reply = Self.paused
        try await first.wait(for: "SERVICE PAUSED")
        try await second.wait(for: "SERVICE PAUSED")
        #expect(try await first.quits())
        #expect(try await second.quits())
    }

    /// A key press shows the help page while a server misbehaves. tmux takes most of the measured time.
    @Test(arguments: ["drip", "bomb", "flood"])
    func aKeyIsAnsweredWhileTheServerDoesItsWorst(fault: String) async throws {
        let server = try HostileServer(Self.live)
        let terminal = try await TerminalUnderTest.running(against: server, ["--timeout", "2"])
        try await terminal.wait(for: "● LIVE")
        let quiet = try await helpTime(terminal)
        let asked = server.requests.count
        server.reply = Self.worst(fault)
        _ = try await server.request(number: asked + 1)
        var longest = Duration.zero
        for _ in 0..<5 { longest = max(longest, try await helpTime(terminal)) }
        Figures.record("\(fault): the help page after \(longest) at most, \(quiet) when all was quiet")
        server.reply = Self.paused
        try await terminal.wait(for: "SERVICE PAUSED", within: patience)
        #expect(try await terminal.quits())
    }

    private static func worst(_ fault: String) -> Behaviour {
        switch fault {
        case "drip": .endlessDrip(every: .milliseconds(1))
        case "bomb": .gzipBomb(inflatedBytes: 300_000_000)
        default: .oversized(bytes: 1_000_000_000, announced: false)
        }
    }

    /// The time from the key press to the help page and back.
    private func helpTime(_ terminal: TerminalUnderTest) async throws -> Duration {
        let start = ContinuousClock.now
        try await terminal.press("?")
        try await terminal.wait(until: "the help page shows") {
            $0.contains("Keys") || $0.contains("KEYS") || $0.contains("Help")
        }
        let took = start.duration(to: .now)
        try await terminal.press(.escape)
        try await terminal.wait(for: "Transitions")
        return took
    }
}
