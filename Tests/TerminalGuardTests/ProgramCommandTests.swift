import Foundation
import Processes
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Program command")
struct ProgramCommandTests {
    private func candidates(_ name: String, path: String?) -> [String] {
        let environment = ProcessVariables(path.map { ["X": "1", "PATH": $0] } ?? [:])
        return ProgramCommand([name], environment: environment).candidates.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aNameIsSearchedInTheFoldersOfThePath() {
        #expect(candidates("tool", path: "/a:/b c") == ["/a/tool", "/b c/tool"])
        #expect(candidates("tool", path: nil) == ["/bin/tool", "/usr/bin/tool"])
        #expect(candidates("tool", path: "/a::/b:") == ["/a/tool", "tool", "/b/tool", "tool"], "the working directory")
        #expect(candidates("tool", path: "") == ["tool"])
    }

    @Test(arguments: ["/bin/tool", "./tool", "folder/tool"])
    func aPathIsNotSearched(path: String) {
        #expect(candidates(path, path: "/a:/b") == [path])
    }

    @Test func anEmptyNameIsNowhere() {
        #expect(candidates("", path: "/a:/b").isEmpty)
        #expect(ProgramCommand(arguments: [], environment: [:]).candidates.isEmpty)
    }

    @Test("Given paths replace the search for the name")
    func givenPathsAreTaken() {
        var command = ProgramCommand(["tool"], environment: ["PATH": "/a"])
        command.paths = [Array("/opt/tool-1".utf8), Array("/proc/self/exe".utf8)]
        #expect(command.candidates == command.paths && command.name == "tool")
    }

    @Test func aVariableReplacesEveryFormerOne() {
        var variables = ProcessVariables(entries: ["A=1", "AB=2", "A=3"].map { Array($0.utf8) })
        variables["A"] = "new=1"
        #expect(variables.entries.map { String(decoding: $0, as: UTF8.self) } == ["AB=2", "A=new=1"])
    }

    @Test func theEnvironmentOfThisProcessIsComplete() {
        let found = Set(ProcessVariables.current.entries)
        for (name, value) in ProcessInfo.processInfo.environment {
            #expect(found.contains(Array("\(name)=\(value)".utf8)), "\(name)")
        }
    }

    @Test func theLastArgumentsAreThoseOfThisProcess() {
        let all = CommandLine.arguments.dropFirst().map { Array($0.utf8) }
        #expect(ProgramCommand.lastArguments(.max) == all)
        #expect(ProgramCommand.lastArguments(-1).isEmpty)
        #expect(ProgramCommand.lastArguments(1) == all.suffix(1))
    }
}

@Suite("Program end")
struct ProgramEndTests {
    @Test(arguments: [
        (ProgramEnd.exited(0), Int32(0)), (.exited(255), 255), (.signaled(SIGTERM), 143), (.notStarted(ENOENT), 127),
        (.notStarted(EACCES), 126), (.notStarted(ENOEXEC), 126), (.notStarted(E2BIG), 126),
    ])
    func theExitCodeIsTheShells(end: ProgramEnd, code: Int32) {
        #expect(end.exitCode == code)
    }

    @Test func onlyAProgramThatDidNotStartHasAMessage() {
        #expect(ProgramEnd.exited(1).message(program: "tool") == nil)
        #expect(ProgramEnd.signaled(SIGTERM).message(program: "tool") == nil)
        for code in [ENOENT, EACCES, ENOMEM] {
            for name in ["tool", "./tool"] {
                #expect(ProgramEnd.notStarted(code).message(program: name)?.hasPrefix("can't start \(name): ") == true)
            }
        }
    }
}
