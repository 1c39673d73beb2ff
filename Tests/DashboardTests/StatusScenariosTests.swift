import Barricade
import Bellerophon
@testable import Dashboard
import Foundation
import TerminalUI
import Testing

/// What the ready scenarios do to an app: asked for through a real `URLSession`, by the source that the app uses.
@Suite struct StatusScenariosTests {
    /// What a check of a scenario ends with: a stage, or the word for its failure.
    static let expected: [(name: String, outcome: String)] = [
        ("live", "active"), ("paused", "killed"), ("update required", "updateRequired"),
        ("paused + update", "updateRequired"), ("paused, long message", "killed"),
        ("paused, Chinese message", "killed"), ("paused, emoji + RTL", "killed"), ("paused, hostile message", "killed"),
        ("paused, no message", "killed"), ("offline", "no connection"), ("timeout", "timeout"),
        ("HTTP 500", "HTTP 500"), ("HTTP 503", "HTTP 503"), ("not JSON", "not a status"),
        ("negative interval", "active"), ("huge interval", "active"), ("field missing", "not a status"),
        ("paused, broken message", "killed"),
    ]

    private static let url = URL(string: "http://demo.invalid/status") ?? URL(filePath: "/")

    private static func check(_ name: String) async throws -> Result<StatusReply, StatusError> {
        let barricade = Barricade()
        barricade.register(StatusScenarios.responseSet(url: url))
        try barricade.select(name, for: StatusScenarios.requestName)
        let source = URLSessionStatusSource(url: url, configuration: barricade.configuration)
        defer { withExtendedLifetime((barricade, source)) {} }
        return await withCheckedContinuation { continuation in
            _ = source.fetchStatus { continuation.resume(returning: $0) }
        }
    }

    @Test func theListIsComplete() {
        let names = StatusScenarios.responseSet(url: Self.url).responses.map(\.name)
        #expect(names == Self.expected.map(\.name))
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: expected) func everyScenarioEndsAsItSays(name: String, outcome: String) async throws {
        switch try await Self.check(name) {
        case .success(let reply): #expect(reply.document.stage.rawValue == outcome)
        case .failure(let error): #expect(error.shortText == outcome)
        }
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
        let forbidden: Set<Unicode.Scalar> = ["\u{1B}", "\u{07}", "\u{08}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200B}"]
        #expect(message.contains("all is well"))
        #expect(message.unicodeScalars.allSatisfy { !forbidden.contains($0) })
    }

    @Test func theBusyServerSaysWhenToComeBack() async throws {
        let error = await #expect(throws: StatusError.self) { try await Self.check("HTTP 503").get() }
        #expect(error?.receipt?.retryAfter == .seconds(12))
    }

    @Test func theCaptivePortalIsSeenInTheInspector() async throws {
        let error = await #expect(throws: StatusError.self) { try await Self.check("not JSON").get() }
        #expect(error?.receipt?.excerpt.contains("Welcome to Station Wi-Fi") == true)
    }

    @Test func theListOfScenariosFollowsTheBarricade() throws {
        let barricade = Barricade()
        barricade.register(StatusScenarios.responseSet(url: Self.url))
        #expect(ScenarioList(barricade).scenarios.filter(ScenarioList(barricade).isSelected).map(\.name) == ["live"])
        try barricade.select("offline", for: "status")
        let list = ScenarioList(barricade)
        #expect(list.scenarios.filter(list.isSelected).map(\.name) == ["offline"])
        #expect(list.scenarios.first == Scenario(request: "status", name: "live", summary: "the app may run", group: "Everyday"))
    }
}
