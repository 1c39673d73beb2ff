import BellerophonBase
import StatusModel
import Testing

@testable import BellerophonServerCommand

/// The conditions that an operator types.
@Suite("Conditions of rules") struct ConditionTextTests {
    @Test(
        "Conditions of one fact are joined, and those of different facts stand side by side",
        arguments: [
            ([], nil), (["version<1.5.2"], #"{"versions":[{"below":"1.5.2"}]}"#),
            (["version>=1.6.0"], #"{"versions":[{"from":"1.6.0"}]}"#),
            (["version>=1.6,<1.6.4"], #"{"versions":[{"from":"1.6","below":"1.6.4"}]}"#),
            (["version<1.6.4,>=1.6"], #"{"versions":[{"from":"1.6","below":"1.6.4"}]}"#),
            (["version=1.6.1,1.6.2"], #"{"versions":[{"is":"1.6.1"},{"is":"1.6.2"}]}"#),
            (["version<1.4", " version = v1.6.0-rc.1 "], #"{"versions":[{"below":"1.4"},{"is":"v1.6.0-rc.1"}]}"#),
            (
                ["site=ward", "osVersion<14", "os=linux,darwin", "version<2", "os=windows"],
                #"{"versions":[{"below":"2"}],"osVersions":[{"below":"14"}],"#
                    + #""is":{"site":["ward"],"os":["linux","darwin","windows"]}}"#
            ),
        ] as [([String], String?)])
    func joinsConditions(texts: [String], expected: String?) throws {
        #expect(try ConditionSet(only: texts).node?.compactText() == expected)
    }

    @Test func theShareIsTheLastCondition() throws {
        let set = try ConditionSet(only: ["version<2"], share: "2.5%", draw: "17")
        #expect(set.node?.compactText() == #"{"versions":[{"below":"2"}],"share":"2.5%","draw":"17"}"#)
    }

    @Test func anExceptionJoinsItsConditionsWithAnd() throws {
        let set = try ConditionSet(except: "ci=true & version>=1.6,<1.7")
        #expect(set.node?.compactText() == #"{"versions":[{"from":"1.6","below":"1.7"}],"is":{"ci":["true"]}}"#)
    }

    @Test(
        "A condition that can't be used is quoted",
        arguments: [
            ("linux", #"--only: expected a condition such as "version<1.5.2", "version>=1.6,<1.6.4" or os=linux; found "linux""#),
            ("<1.5", #"--only: "<1.5" has no name of a fact"#),
            ("version<1.x", #"--only: "1.x" in "version<1.x" is no version such as 1.5.2"#),
            ("version<", #"--only: "" in "version<" is no version such as 1.5.2"#),
            ("version<=1.5", #"--only: "version<=1.5" is no range of versions"#),
            ("version!=1.5", #"--only: "version!=1.5" is no range of versions"#),
            ("version>1.5", #"--only: "version>1.5" is no range of versions"#),
            ("version<1,<2", #"--only: "version<1,<2" is no range of versions"#),
            ("version<1,=2", #"--only: "version<1,=2" mixes a range and single versions"#),
            ("osversion<14", #"--only: the fact is named osVersion, found "osversion""#),
            ("os<linux", #"--only: "os<linux" compares a fact that is no version"#),
            ("os==linux", #"--only: "os==linux" compares a fact that is no version"#),
            ("os=linux,", #"--only: "os=linux," has an empty value"#),
            ("ci=true&os=linux", #"--only: "ci=true&os=linux" has several conditions"#),
        ])
    func refusesCondition(text: String, message: String) {
        let error = #expect(throws: CommandError.self) { try ConditionSet(only: [text]) }
        #expect(error?.message == message)
    }

    @Test func anExceptionHasEachFactOnce() {
        let error = #expect(throws: CommandError.self) { try ConditionSet(except: "os=linux&os=darwin") }
        #expect(error?.message == #"--except: "os=linux&os=darwin" has two conditions for os"#)
    }

    @Test func aDrawMeansNothingWithoutAShare() {
        let error = #expect(throws: CommandError.self) { try ConditionSet(only: [], draw: "x") }
        #expect(error?.message == "--draw: means nothing without --share")
    }
}
