import Foundation
import Processes
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("The command that prints a program's version")
struct VersionCommandTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func ask(_ script: String, limit: Duration = patience) throws -> String {
        let command = try #require(VersionCommand(["/bin/sh", "-c", script]))
        return try command.ask(limit: limit)
    }

    private func problem(_ script: String, limit: Duration = patience) throws -> VersionCommand.Problem? {
        do {
            _ = try ask(script, limit: limit)
            return nil
        } catch let error as VersionCommand.Problem {
            return error
        }
    }

    // MARK: A reply

    @Test func theVersionIsInItsOutput() throws {
        #expect(try ask("echo 'psql (PostgreSQL) 16.3 (Debian 16.3-1)'") == "16.3")
        #expect(try ask("echo 'nginx version: nginx/1.22.1' >&2; echo 1.2") == "1.2", "a warning does not count")
        #expect(try ask("echo 'libfoo 9.9 is old' >&2; echo 1.2") == "1.2")
        #expect(try ask("printf v2.0.1") == "2.0.1", "without the end of the line")
    }

    @Test func itHasNoTerminalAndNothingToRead() throws {
        #expect(try ask("cat; echo 1.2") == "1.2")
        #expect(try ask("if (exec </dev/tty) 2>/dev/null; then echo 1.1; else echo 1.2; fi") == "1.2")
    }

    @Test func onlyTheBeginningOfALongOutputIsRead() throws {
        #expect(try ask("echo 'tool 1.2.3'; exec yes") == "1.2.3")
        #expect(try problem("exec yes") == .noVersion(isCut: true))
        let late = "i=0; while [ $i -lt 600 ]; do echo filling.; i=$((i+1)); done; echo 1.2.3"
        #expect(try problem(late) == .noVersion(isCut: true))
    }

    // MARK: No reply

    @Test func aCommandThatIsLateIsAProblem() throws {
        #expect(try problem("exec sleep 1000", limit: .zero) == .timeout(.zero))
    }

    @Test func aCommandThatIsMissingIsAProblem() throws {
        let command = try #require(VersionCommand([folder.path("missing"), "--version"]))
        #expect(throws: VersionCommand.Problem.notStarted(code: ENOENT)) { _ = try command.ask() }
        try folder.write("1.2", to: "text")
        let text = try #require(VersionCommand([folder.path("text")]))
        #expect(throws: VersionCommand.Problem.notStarted(code: EACCES)) { _ = try text.ask() }
    }

    @Test func aCommandThatFailsIsAProblem() throws {
        #expect(try problem("echo 'lib.so 1.2 is missing'; exit 3") == .failed(.exit(3)))
        #expect(try problem("echo 1.2; kill -9 $$") == .failed(.signal(SIGKILL)))
        #expect(try problem("echo none") == .noVersion(isCut: false))
        #expect(try problem("exit 0") == .noVersion(isCut: false))
        #expect(try problem("echo 'nginx version: nginx/1.22.1' >&2") == .onlyInErrors)
        #expect(try problem("exec yes >&2") == .noVersion(isCut: true))
    }

    @Test(
        "A problem is said in words",
        arguments: [
            (VersionCommand.Problem.notStarted(code: ENOENT), "can't be started: No such file or directory"),
            (.timeout(.seconds(2)), "did not end within 2 s"), (.failed(.exit(3)), "failed with exit code 3"),
            (.noVersion(isCut: false), "printed no version"),
            (.noVersion(isCut: true), "printed no version in its first 4096 bytes"),
        ]) func words(problem: VersionCommand.Problem, text: String)
    {
        #expect(problem.text == text)
    }

    // MARK: The command

    @Test func aCommandNeedsAProgram() {
        #expect(VersionCommand([]) == nil)
        #expect(VersionCommand([""]) == nil)
        #expect(VersionCommand(["a\0b"]) == nil)
        #expect(VersionCommand(words: " \t") == nil)
        #expect(VersionCommand(words: " psql  --version ")?.arguments == ["psql", "--version"])
    }

    @Test func anotherProcessIsNotTheGuardThatAsks() {
        // The parent of the tests runs another executable.
        #expect(!VersionCommand.isAsking(["BELLEROPHON_GUARD_ASKS": "\(getppid())"]))
        #expect(!VersionCommand.isAsking(["BELLEROPHON_GUARD_ASKS": "\(getpid())"]), "it is no ancestor of itself")
        #expect(!VersionCommand.isAsking(["BELLEROPHON_GUARD_ASKS": "x"]))
        #expect(!VersionCommand.isAsking([:]))
    }
}

@Suite("The source of a guarded program")
struct GuardedSourceTests {
    @Test func itIsThatOfItsFile() throws {
        let folder = try TestFolder()
        let program = try folder.write("#!/bin/sh\n", to: "Cellar/tool/1.0/bin/tool")
        chmod(program, 0o755)
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("bin/tool"), withDestinationPath: program)
        let path = ProcessVariables(["PATH": "/nowhere:\(folder.path("bin"))"])
        #expect(ProgramCommand(["tool"], environment: path).source == "homebrew")
        #expect(ProgramCommand([folder.path("bin/tool")], environment: [:]).source == "homebrew")
        #expect(ProgramCommand(["missing"], environment: path).source == "unknown")
    }

    @Test func aProgramOfTheSystemBelongsToItsPackage() {
        // Another system has no lists of dpkg.
        let isDebian = FileManager.default.fileExists(atPath: "/var/lib/dpkg/info/dash.list")
        let found = ProgramCommand(["/bin/sh"], environment: [:]).installation
        #expect(found?.source == (isDebian ? "apt" : "unknown"))
        #expect(found?.path == "/bin/sh")
        #expect(!isDebian || found?.package == "dash" || found?.package == "bash")
    }

    @Test func anInterpreterRunsAScript() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(1)\n", to: "notes.py")
        let interpreter = try folder.write("", to: "python3")
        chmod(interpreter, 0o755)
        let found = ProgramCommand([interpreter, script], environment: [:]).installation
        #expect(found?.path == script)
        #expect(found?.source == "file")
        #expect(ProgramCommand([interpreter, "-m", "notes"], environment: [:]).source == "unknown")
        #expect(ProgramCommand([interpreter], environment: [:]).source == "file")
    }
}
