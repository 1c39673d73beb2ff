import Foundation
import TerminalUI
import TestSupport
import Testing

/// `bellerophon update`, in a Python environment that pip seems to have installed it in, and as a plain file.
@Suite("The update of bellerophon itself")
struct UpdateCommandTests {
    // MARK: A plain file

    @Test(arguments: [["--check"], [], ["--yes"]]) func aPlainFileIsSaidWithItsPath(flags: [String]) async throws {
        let program = try Products.path("bellerophon")
        let result = try await bellerophon(["update"] + flags)
        #expect(result.status == .exited(69))
        #expect(result.standardError == "")
        #expect(result.standardOutput.hasPrefix("bellerophon "))
        #expect(result.standardOutput.contains(" runs (\(program)). It was not installed by a package manager that is known"))
    }

    /// The settings are about the app that is watched.
    @Test func theSettingsOfTheAppAreNotRead() async throws {
        let program = try Products.path("bellerophon")
        let result = try await bellerophon(
            ["update", "--check", "--json"],
            environment: [
                "BELLEROPHON_UPDATE_COMMAND": "false", "BELLEROPHON_UPDATE_AVAILABLE_COMMAND": "echo 99.0.0",
                "BELLEROPHON_CONFIG": "/nowhere/config.json",
            ])
        #expect(result.status == .exited(69))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any])
        #expect(json["command"] is NSNull && json["newest"] is NSNull && json["installed"] is NSNull)
        #expect(json["path"] as? String == program)
        #expect(json["available"] as? [String] == [] && json["problem"] is String)
    }

    @Test func aCheckRunsNothing() async throws {
        let result = try await bellerophon(["update", "--check", "--yes"])
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains("--check runs no command; leave out --yes"))
    }

    // MARK: A package of pip

    /// A copy of the program in a Python environment with an interpreter that plays pip.
    private struct Environment {
        let home: TestFolder
        var program: String { home.path("venv/bin/bellerophon") }

        /// - Parameter install: what an installation does, as shell commands.
        init(install: String) async throws {
            home = try TestFolder()
            let info = "venv/lib/python3.11/site-packages/bellerophon-0.1.0.dist-info"
            try home.write("home = /usr/bin\n", to: "venv/pyvenv.cfg")
            try home.write("../../../bin/bellerophon,,\n", to: "\(info)/RECORD")
            let metadata = try home.write("Metadata-Version: 2.1\nName: bellerophon\nVersion: 0.1.0\n", to: "\(info)/METADATA")
            let python = try home.write(
                """
                #!/bin/sh
                METADATA='\(metadata)'
                case "$*" in
                *"index versions bellerophon"*) echo "Available versions: 99.1.0, 0.1.0" ;;
                *install*) \(install) ;;
                *) exit 9 ;;
                esac
                """, to: "python3")
            // Another process writes both programs. A file that this process has written may still be open in a child of a parallel
            // test, and a program that is open for writing can't be started.
            let copy = """
                mkdir -p "${2%/*}" && cp "$0" "$2" && cp "$1" "${2%/*}/python3" && chmod 755 "${2%/*}/python3"
                """
            let result = try await runCommand("/bin/sh", ["-c", copy, try Products.path("bellerophon"), python, program])
            guard result.status == .exited(0) else { throw TestError("no copy", detail: result.standardError) }
        }

        static let moves = #"printf 'Name: bellerophon\nVersion: %s\n' "$BELLEROPHON_UPDATE_VERSION" >"$METADATA"; echo moved"#
    }

    @Test func whatCanBeHadIsToldByPip() async throws {
        let environment = try await Environment(install: "exit 9")
        let text = try await runCommand(environment.program, ["update", "--check"], home: environment.home)
        #expect(text.status == .exited(10), "\(text.standardError)")
        #expect(text.standardOutput.contains("99.1.0 can be had (pip, \(environment.program))."))
        #expect(text.standardOutput.contains("venv/bin/python3 -m pip install --upgrade bellerophon\n"))
        let json = try await runCommand(environment.program, ["update", "--check", "--json"], home: environment.home)
        #expect(json.status == .exited(10))
        #expect(json.standardOutput.contains(#""available":["99.1.0","0.1.0"]"#))
        #expect(json.standardOutput.contains(#""installed":"0.1.0","newest":"99.1.0","package":"bellerophon""#))
    }

    @Test func aPersonIsAskedAndTheNewVersionIsProved() async throws {
        let environment = try await Environment(install: Environment.moves)
        let terminal = try await TerminalUnderTest(
            environment.program, arguments: ["update"], columns: 200, home: environment.home)
        try await terminal.wait(for: "-m pip install --upgrade bellerophon", "Run it? [y/N]")
        try await terminal.type("y\r")
        #expect(try await terminal.waitForExit() == .exited(0))
        try await terminal.wait(for: "moved\nbellerophon 99.1.0 is installed (was 0.1.0).")
    }

    @Test func withoutATerminalYesIsNeeded() async throws {
        let environment = try await Environment(install: Environment.moves)
        let refused = try await runCommand(environment.program, ["update"], home: environment.home)
        #expect(refused.status == .exited(64))
        #expect(refused.standardError.contains("there is no terminal for the question whether to run the command; give --yes"))
        let done = try await runCommand(environment.program, ["update", "--yes", "--json"], home: environment.home)
        #expect(done.status == .exited(0), "\(done.standardError)")
        #expect(done.standardOutput.hasPrefix("{") && done.standardOutput.contains(#""installed":"99.1.0""#))
        #expect(done.standardError.contains("moved\n"), "the output of the command")
    }

    @Test("Control-C ends the command, and the program says so")
    func anInterruptedCommandIsSaid() async throws {
        let environment = try await Environment(install: "echo begun; sleep 600")
        let terminal = try await TerminalUnderTest(
            environment.program, arguments: ["update", "--yes"], columns: 200, home: environment.home)
        try await terminal.wait(for: "begun")
        try await terminal.press(.control("c"))
        #expect(try await terminal.waitForExit() == .exited(1))
        try await terminal.wait(for: "update: the command was interrupted: ")
    }
}
