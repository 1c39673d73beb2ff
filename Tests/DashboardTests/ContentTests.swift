import Barricade
import CloudBox
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import ScenarioKit

/// The dashboard's own content, and the state of its resources.
@Suite struct ContentTests {
    // MARK: dashboard.json

    @Test func aDashboardFileIsRead() throws {
        var content = DashboardContent()
        try content.read(
            dashboard: Data(
                #"{"title":" Catalogue ","links":[{"title":"News","url":"https://example.com"}],"hide":["latency"],"later":1}"#
                    .utf8))
        #expect(content.title == "Catalogue")
        #expect(content.links == [.init(title: "News", url: "https://example.com")])
        #expect(content.hidden == [.latency])
    }

    @Test(arguments: [
        ("[]", "expected an object, found an array"),
        ("{", "it is not JSON"),
        (#"{"title":1}"#, #""title" must be text, found a number"#),
        (
            #"{"links":[{"title":"a","url":"javascript:1"}]}"#,
            #"links[0] must have a "title" and a "url" that is an http or https address"#
        ),
        (#"{"hide":["events"]}"#, "hide[0] must be one of latency, transitions, plan, resources"),
    ])
    func aBrokenFileIsRefusedAndChangesNothing(json: String, problem: String) throws {
        var content = DashboardContent()
        try content.read(dashboard: Data(#"{"title":"kept"}"#.utf8))
        let before = content
        #expect(throws: ContentError(problem)) { try content.read(dashboard: Data(json.utf8)) }
        #expect(content == before)
    }

    @Test func textFromOutsideCannotDrive() throws {
        var content = DashboardContent()
        try content.read(help: Data("one\u{1B}[2Jtwo\r\nthree".utf8))
        #expect(!content.help.unicodeScalars.contains("\u{1B}"))
        #expect(content.help.hasSuffix("\nthree"))
        #expect(throws: ContentError("it is no UTF-8 text")) { try content.read(help: Data([0xFF, 0xFE, 0x41])) }
    }

    @Test func theShippedFilesAreSound() throws {
        var content = DashboardContent()
        for (name, data) in ShippedContent.files {
            switch name {
            case ShippedContent.dashboardName: try content.read(dashboard: data)
            case ShippedContent.helpName: try content.read(help: data)
            default: #expect(ShippedContent.scenarioNames.contains(name))
            }
        }
        #expect(content.title == "Bellerophon")
        #expect(content.links.isEmpty, "example addresses would be shown beside a real server")
        #expect(content.help.hasPrefix("The dashboard watches one status document."))
    }

    // MARK: The pane

    static let rows = [
        ResourceRow(name: "dashboard.json", version: "2", origin: .fresh, size: 290, digest: "9f3c02ab44d1", activity: .idle),
        ResourceRow(
            name: "help.txt", version: "1", origin: .bundled, size: 402, digest: "02ab9f3c44d1",
            activity: .problem("kept; v2 refused: the SHA-256 differs")),
        ResourceRow(
            name: "status.json", version: "41", origin: .cached, size: 12_400, digest: "77ab9f3c44d1", activity: .receiving(0.42)),
        ResourceRow(name: "security-stop.json", activity: .checking),
    ]

    private func session(columns: Int, rows: Int) throws -> DashboardSession {
        var session = DashboardSession.afterAPause(columns: columns, rows: rows)
        var content = DashboardContent()
        try content.read(
            dashboard: Data(#"{"title":"Catalogue","links":[{"title":"News","url":"https://example.com/news"}]}"#.utf8))
        try content.read(help: Data("Ask at the desk when in doubt.".utf8))
        session.send(.content(content))
        session.send(.resources(Self.rows))
        return session
    }

    @Test(arguments: [(80, 24), (120, 36), (40, 12), (60, 24), (200, 60)])
    func resources(columns: Int, rows: Int) throws {
        var session = try session(columns: columns, rows: rows)
        session.press(.tab)
        while session.model.view.focus != .resources { session.press(.tab) }
        session.press(.character("j"))
        expectGolden(session.frame(), named: "resources")
    }

    @Test func enterSyncsTheSelectedResourceAndShiftSAll() throws {
        var session = try session(columns: 80, rows: 24)
        while session.model.view.focus != .resources { session.press(.tab) }
        session.press(.character("j"), .enter)
        #expect(session.effects.last == .sync("help.txt"))
        session.press(.character("S"))
        #expect(session.effects.last == .sync(nil))
    }

    @Test func newContentIsTold() throws {
        var session = try session(columns: 80, rows: 24)
        session.send(.contentChanged("help.txt v2, 402 B"))
        #expect(session.model.service.history.events.last?.kind == .content("help.txt v2, 402 B"))
        #expect(session.frame().text.contains("help.txt v2, 402 B"))
    }

    @Test("The cursor stays on its scenario when new ones are added", arguments: [false, true]) func cursorStaysOnScenario(
        inThePicker: Bool
    ) throws {
        let barricade = BarricadeServer()
        barricade.register(StatusScenarios.file)
        var session = try session(columns: 80, rows: 24)
        session.send(.barricade(ScenarioList(barricade)))
        if inThePicker { session.press(.character("s")) }
        session.press(.end)
        let last = try #require(StatusScenarios.file.requests[0].responses.last).name
        func marked() -> String? { session.lines(with: "▸").first { $0.contains(last) } }
        #expect(marked() != nil)
        var file = StatusScenarios.file
        file.requests[0].responses.insert(ScenarioResponse("new", answer: .reply(ScenarioReply())), at: 0)
        barricade.register(file)
        session.send(.barricade(ScenarioList(barricade)))
        #expect(marked() != nil)
    }

    @Test func hiddenPanesLeaveTheirRoom() throws {
        var session = try session(columns: 80, rows: 24)
        while session.model.view.focus != .resources { session.press(.tab) }
        var content = session.model.screen.content
        try content.read(dashboard: Data(#"{"hide":["latency","transitions","resources"]}"#.utf8))
        session.send(.content(content))
        #expect(session.model.view.focus == .events)
        let text = session.frame().text
        for title in ["Latency", "Transitions", "Resources"] { #expect(!text.contains("┌ \(title)")) }
        #expect(text.contains("┌ Events") && text.contains("┌ Scenarios"))
        session.resize(200, 60)
        #expect(!session.frame().text.contains("┌ Latency"))
    }

    @Test func theHelpPageCarriesTheContent() throws {
        var session = try session(columns: 80, rows: 24)
        session.press(.character("?"))
        expectGolden(session.frame(), named: "help-content")
    }
}
