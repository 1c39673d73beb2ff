import Barricade
import Bellerophon
import Foundation
import TerminalUI
import Testing

@testable import ScenarioKit

/// The effect of the built-in scenarios on an app: requested through a real `URLSession` by the app's own source.
@Suite struct StatusScenariosTests {
    private static func check(_ name: String) async throws -> Result<StatusReply, StatusError> {
        let barricade = BarricadeServer()
        barricade.register(StatusScenarios.file)
        try barricade.select(name, for: StatusScenarios.requestName)
        let source = URLSessionStatusSource(url: Simulation.url, configuration: barricade.configuration)
        defer { withExtendedLifetime((barricade, source)) {} }
        return await withCheckedContinuation { continuation in
            _ = source.fetchStatus { continuation.resume(returning: $0) }
        }
    }

    /// The tests of the built-in scenarios cover the effect of each one on an app.
    @Test("The built-in scenarios begin with the everyday ones and end with the stories")
    func scenarioListOrder() throws {
        let responses = try #require(StatusScenarios.file.request("status")).responses
        #expect(responses.map(\.name).prefix(3) == ["live", "paused", "update required"])
        let groups = responses.compactMap(\.group).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(
            groups == [
                "Everyday", "Messages", "Failures", "Edges", "Story: planned maintenance", "Story: security stop",
                "Story: forced migration", "Story: flapping backend", "Story: tour", "Rules", "Story: deadline",
            ]
        )
        #expect(responses.allSatisfy { !$0.summary.isEmpty })
    }

    @Test func theUpdateNamesItsVersionAndLink() async throws {
        let document = try await Self.check("update required").get().document
        #expect(document.requiredVersion == "1.5.2")
        #expect(document.link == "https://example.com/get")
    }

    @Test func theLongMessageIsLongerThanAScreen() async throws {
        let message = try await Self.check("paused, long message").get().document.message ?? ""
        #expect(CellText.wrap(message, columns: 72).count > 24)
    }

    @Test func nothingHostileReachesTheScreen() async throws {
        let document = try await Self.check("paused, hostile message").get().document
        let message = try #require(document.message)
        let forbidden: Set<Unicode.Scalar> = [
            "\u{1B}", "\u{07}", "\u{08}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200B}",
        ]
        #expect(message.contains("all is well"))
        #expect(message.unicodeScalars.allSatisfy { !forbidden.contains($0) })
    }

    @Test func theBusyServerSaysWhenToComeBack() async throws {
        let error = await #expect(throws: StatusError.self) { try await Self.check("HTTP 503").get() }
        #expect(error?.metadata?.retryAfter == .seconds(12))
    }

    @Test func theCaptivePortalIsSeenInTheInspector() async throws {
        let error = await #expect(throws: StatusError.self) { try await Self.check("not JSON").get() }
        #expect(error?.metadata?.excerpt.contains("Welcome to Station Wi-Fi") == true)
    }

    @Test func theListOfScenariosFollowsTheBarricade() throws {
        let barricade = BarricadeServer()
        barricade.register(StatusScenarios.file)
        #expect(ScenarioList(barricade).scenarios.filter(ScenarioList(barricade).isSelected).map(\.name) == ["live"])
        try barricade.select("offline", for: "status")
        let list = ScenarioList(barricade)
        #expect(list.scenarios.filter(list.isSelected).map(\.name) == ["offline"])
        #expect(list.scenarios.first == Scenario(request: "status", name: "live", summary: "the app may run", group: "Everyday"))
    }
}
