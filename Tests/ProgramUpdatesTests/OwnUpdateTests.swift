import Bellerophon
import ProgramUpdates
import TestSupport
import Testing

/// A program that updates itself at a person's command.
@Suite struct OwnUpdateTests {
    /// What happened at the edge.
    private final class Edge {
        var hasTerminal = true
        var answer = true
        /// How the command ends if not well.
        var problem: String?
        var printed: [String] = [], complaints: [String] = [], commands: [String] = []
        var variables: [String: String] = [:]
        var questions = 0

        var edge: OwnUpdate.Edge {
            OwnUpdate.Edge(
                hasTerminal: hasTerminal,
                confirms: { _ in
                    self.questions += 1
                    return self.answer
                },
                run: { command, variables in
                    self.commands.append(command)
                    self.variables = variables
                    return self.problem
                },
                print: { self.printed.append($0) }, reportProblem: { self.complaints.append($0) })
        }
    }

    private let edge = Edge()

    private func perform(_ inspector: FakeInspector, _ change: (inout OwnUpdate.Choices) -> Void = { _ in }) -> Int32 {
        var choices = OwnUpdate.Choices()
        change(&choices)
        return OwnUpdate(name: "tool", running: "1.0.0", inspector, choices, edge.edge).perform()
    }

    private func newer(after installed: String?) -> FakeInspector {
        FakeInspector(.sample(), .found("1.0.0", "1.1.0"), after: .with(.notAsked, installed: installed))
    }

    // MARK: Nothing runs

    @Test(
        arguments: [
            (UpdateFindings.found("1.0.0", "1.0.0"), 0), (.found("1.0.0", "1.1.0"), 10),
            (.with(.failed("is offline"), installed: "1.0.0"), 69),
        ] as [(UpdateFindings, Int32)])
    func aCheckRunsNothing(findings: UpdateFindings, code: Int32) {
        let inspector = FakeInspector(.sample(), findings)
        #expect(perform(inspector) { $0.onlyChecks = true } == code)
        #expect(perform(inspector) { ($0.onlyChecks, $0.usesJSON) = (true, true) } == code)
        #expect(edge.commands.isEmpty && edge.questions == 0 && edge.complaints.isEmpty)
        #expect(edge.printed.count == 2 && edge.printed[1].hasPrefix("{"))
    }

    @Test(
        arguments: [
            (UpdateFindings.found("1.0.0", "1.0.0"), 0), (.found("1.1.0", "1.1.0"), 0),
            (.with(.failed("is offline"), installed: "1.0.0"), 69),
            (.with(.nothing, installed: "1.0.0"), 69),
        ] as [(UpdateFindings, Int32)])
    func withoutACommandNothingRuns(findings: UpdateFindings, code: Int32) {
        edge.hasTerminal = false
        #expect(perform(FakeInspector(.sample(), findings)) == code)
        #expect(edge.commands.isEmpty && edge.questions == 0 && edge.printed.count == 1 && edge.complaints.isEmpty)
    }

    @Test func aSourceThatIsOnlyNamedCanNotBeUpdated() {
        #expect(perform(FakeInspector(.sample("homebrew", command: nil), .with(.notAsked))) == 69)
        #expect(perform(FakeInspector(.sample("npm", command: nil), .found("1.0.0", "1.1.0"))) == 69)
        #expect(edge.commands.isEmpty)
        #expect(edge.printed.count == 2 && edge.printed.allSatisfy { $0.contains("/opt/bin/tool") }, "\(edge.printed)")
    }

    @Test func withoutATerminalNobodyCanBeAsked() {
        edge.hasTerminal = false
        #expect(perform(newer(after: "1.1.0")) == 64)
        #expect(edge.commands.isEmpty && edge.questions == 0)
        #expect(
            edge.complaints == ["update: there is no terminal for the question whether to run the command; give --yes to run it"])
    }

    @Test func anotherAnswerThanYesRunsNothing() {
        edge.answer = false
        #expect(perform(newer(after: "1.1.0")) == 1)
        #expect(edge.commands.isEmpty && edge.questions == 1 && edge.printed.last == "Nothing was run.")
    }

    // MARK: The command

    @Test func theCommandIsShownBeforeTheQuestionAndProvedAfterIt() {
        #expect(perform(newer(after: "1.1.0")) == 0)
        #expect(edge.commands == ["make update"] && edge.questions == 1 && edge.complaints.isEmpty)
        #expect(edge.variables == ["BELLEROPHON_UPDATE_VERSION": "1.1.0", "BELLEROPHON_UPDATE_PROGRAM": "/opt/bin/tool"])
        #expect(edge.printed.first?.hasSuffix("Get it with: make update") == true)
        #expect(edge.printed.last == "tool 1.1.0 is installed (was 1.0.0).")
    }

    @Test func yesNeedsNeitherAQuestionNorATerminal() {
        edge.hasTerminal = false
        #expect(perform(newer(after: "1.1.0")) { $0.isConfirmed = true } == 0)
        #expect(edge.commands == ["make update"] && edge.questions == 0)
    }

    @Test func aCommandThatFailsIsSaidInWords() {
        edge.problem = "failed with exit code 100"
        let inspector = newer(after: "1.1.0")
        #expect(perform(inspector) == 1)
        #expect(edge.complaints == ["update: the command failed with exit code 100: make update"])
        #expect(inspector.readings == 0)
    }

    @Test(arguments: [
        ("1.0.0", "nothing has moved: 1.0.0 is still installed"), (nil, "it is not known which version is installed now"),
    ])
    func aCommandThatEndsWellProvesNothing(installed: String?, text: String) {
        #expect(perform(newer(after: installed)) == 1)
        #expect(edge.complaints.count == 1 && edge.complaints[0].contains(text))
    }

    @Test func aVersionThatIsNotKnownIsNotTold() {
        let inspector = FakeInspector(
            .sample(), .with(.notAsked, installed: "1.0.0"), after: .with(.notAsked, installed: "1.1.0"))
        #expect(perform(inspector) == 0)
        #expect(edge.variables == ["BELLEROPHON_UPDATE_PROGRAM": "/opt/bin/tool"])
    }

    @Test func theResultForAProgramStandsAlone() throws {
        #expect(perform(newer(after: "1.1.0")) { ($0.usesJSON, $0.isConfirmed) = (true, true) } == 0)
        #expect(edge.printed.count == 1)
        #expect(try #require(edge.printed.first).contains(#""installed":"1.1.0","newest":"1.1.0""#))
        #expect(edge.complaints.last == "tool 1.1.0 is installed (was 1.0.0).")
    }
}
