import Foundation
import TerminalUI
import TestSupport
import Testing

/// `bellerophon run` with several services.
@Suite("Sessions: several services")
struct ServicesSessionTests {
    private let folder: TestFolder
    private let catalogue: HostileServer
    private let payments: HostileServer

    init() throws {
        folder = try TestFolder()
        (catalogue, payments) = (try HostileServer(Status.live), try HostileServer(Status.live))
        try folder.write(
            """
            {"services": [
              {"name": "Catalogue", "status": {"url": "\(catalogue.address)", "interval": 0.2}},
              {"name": "Payments", "status": {"url": "\(payments.address)", "interval": 0.2}}
            ], "status": {"minimumInterval": 0.1}}
            """, to: "config.json")
    }

    @Test("Only the open service covers the screen, and digit keys switch between services")
    func onlyOpenServiceCovers() async throws {
        let terminal = try await TerminalUnderTest(
            "bellerophon", arguments: ["run", "--config", folder.path("config.json")], columns: 100, rows: 30)
        try await terminal.wait(for: "● LIVE   Catalogue", "✓1 ● live", "2 ● live     Payments")
        payments.reply = Status.paused
        try await terminal.wait(for: "● LIVE   Catalogue", "2 ■ paused   Payments", without: "SERVICE PAUSED")
        try await terminal.press("2")
        try await terminal.wait(for: "■  SERVICE PAUSED", "Back at 14:30 UTC.", "0 services")
        try await terminal.press("0")
        try await terminal.wait(for: "2 services   ■ 1 paused   ● 1 live", "Payments", without: "SERVICE PAUSED")
        try await terminal.press(.enter)
        try await terminal.wait(for: "■  SERVICE PAUSED", "0 services")
        try await terminal.press("1")
        try await terminal.wait(for: "● LIVE   Catalogue", without: "SERVICE PAUSED")
        payments.reply = Status.live
        try await terminal.wait(for: "2 ● live     Payments")
        try await terminal.press("q")
        #expect(try await terminal.waitForExit() == .exited(0))
    }

    @Test("Without a screen every line names its service")
    func plainLinesNameTheirService() throws {
        payments.reply = Status.paused
        let program = try RunningProgram("bellerophon", ["watch", "--config", folder.path("config.json")], home: folder)
        try program.wait(for: "both") {
            $0.contains(" Catalogue: state: live\n") && $0.contains(" Payments: state: paused\n") ? () : nil
        }
        program.send(SIGTERM)
        #expect(try program.waitForEnd() == .signalled(SIGTERM))
    }

    @Test func aCommandForOneStatusAsksWhichService() async throws {
        let check = ["check", "--config", folder.path("config.json")]
        let bare = try await bellerophon(check)
        #expect(bare.status == .exited(64))
        #expect(bare.standardError.contains("give --service NAME (Catalogue, Payments)"))
        payments.reply = Status.paused
        #expect(try await bellerophon(check + ["--service", "Payments"]).status == .exited(10))
        let wrong = try await bellerophon(check + ["--service", "Payment"])
        #expect(wrong.standardError.contains(#"there is no service "Payment"; did you mean "Payments"?"#))
    }
}
