import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Guard wrappers")
struct InstallWrapperTests {
    private func wrapper(program: String = "/usr/bin/psql", bellerophon: String = "/usr/bin/bellerophon") throws -> GuardWrapper {
        GuardWrapper(
            profile: try #require(GuardProfileName("psql")), program: try #require(AbsolutePath(program)),
            bellerophon: try #require(AbsolutePath(bellerophon)))
    }

    @Test func theTextSaysWhoWroteItAndForWhat() throws {
        let lines = try wrapper().text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "#!/bin/sh")
        #expect(lines[1].hasPrefix("# bellerophon guard wrapper, format 1, profile psql, checksum "))
        #expect(lines.suffix(3).first == #"[ -x '/usr/bin/bellerophon' ] || exec '/usr/bin/psql' "$@""#)
        #expect(lines.suffix(2).first == #"exec '/usr/bin/bellerophon' guard --profile 'psql' -- '/usr/bin/psql' "$@""#)
        #expect(lines.last == "", "the text ends with a newline")
    }

    private static let paths = [
        "/a", "/with space/x", "/it's/'", "/$(reboot)/`x`", "/\"quoted\"/\\", "/ü/日本", "/a'\u{301}b", "/caf\u{E9}", "/#/;/|/&",
        "/'\\''",
    ]

    @Test(arguments: paths, paths) func everyTextIsRecognized(program: String, bellerophon: String) throws {
        let wrapper = try wrapper(program: program, bellerophon: bellerophon)
        #expect(GuardWrapper(parsing: wrapper.text) == wrapper)
    }

    @Test func aTextWithOneOtherByteIsNotRecognized() throws {
        let bytes = Array(try wrapper(program: "/opt/it's/psql").text.utf8)
        for index in bytes.indices {
            var (changed, shorter, longer) = (bytes, bytes, bytes)
            changed[index] = changed[index] == UInt8(ascii: "x") ? UInt8(ascii: "y") : UInt8(ascii: "x")
            shorter.remove(at: index)
            longer.insert(UInt8(ascii: " "), at: index)
            for text in [changed, shorter, longer] {
                #expect(GuardWrapper(parsing: String(decoding: text, as: UTF8.self)) == nil, "byte \(index)")
            }
        }
    }

    @Test func anotherProgramInBothLinesIsNoticed() throws {
        let edited = try wrapper().text.replacingOccurrences(of: "/usr/bin/psql", with: "/opt/bin/psql")
        #expect(GuardWrapper(parsing: edited) == nil)
        #expect(GuardWrapper.mark(in: edited)?.profile.text == "psql")
    }

    @Test(arguments: ["", "#!/bin/sh\n", "#!/bin/sh\n# bellerophon guard wrapper\n", "#!/bin/bash\nexec psql\n", "\n\n\n"])
    func anotherScriptHasNoMark(text: String) {
        #expect(GuardWrapper.mark(in: text) == nil)
        #expect(GuardWrapper(parsing: text) == nil)
    }

    @Test func theMarkOfANewerFormatIsRead() throws {
        let text = "#!/bin/sh\n# bellerophon guard wrapper, format 2, profile psql, checksum 0\nexec x\n"
        #expect(GuardWrapper.mark(in: text) == GuardWrapper.Mark(format: 2, profile: try #require(GuardProfileName("psql"))))
        #expect(GuardWrapper(parsing: text) == nil)
    }

    // MARK: What a shell makes of it

    /// Runs a wrapper's text in a shell and returns the lines of its output.
    private func run(_ wrapper: GuardWrapper, _ arguments: [String], in home: TestFolder) async throws -> [String] {
        let script = try home.write(wrapper.text, to: "wrapper")
        let result = try await runCommand("/bin/sh", [script] + arguments, home: home)
        #expect(result.status == .exited(0), "\(result.standardError)")
        return result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Makes a program that prints its name and its arguments, one per line.
    ///
    /// Another process writes the file. Were it open here, a child that another test starts meanwhile could have it open too,
    /// and a file that is open for writing can't be executed.
    private func printer(_ name: String, in home: TestFolder) async throws -> String {
        let path = home.path(name), text = "#!/bin/sh\nprintf '%s\\n' \"${0##*/}\" \"$@\"\n"
        let result = try await runCommand(
            "/bin/sh", ["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh", path], input: text, home: home)
        #expect(result.status == .exited(0), "\(result.standardError)")
        return path
    }

    private static let arguments = ["--", "-c", "select 'a b'", "", "$HOME", "*", "last\\n"]

    @Test("The wrapper passes the program and its arguments to the guard unchanged")
    func wrapperPassesArguments() async throws {
        let home = try TestFolder()
        let wrapper = try await wrapper(program: "/it's/a $(program)", bellerophon: printer("it's \"bellerophon\"", in: home))
        let lines = try await run(wrapper, Self.arguments, in: home)
        #expect(lines == ["it's \"bellerophon\"", "guard", "--profile", "psql", "--", "/it's/a $(program)"] + Self.arguments)
    }

    @Test("The wrapper runs the program directly when bellerophon is missing")
    func missingBellerophonRunsProgram() async throws {
        let home = try TestFolder()
        let wrapper = try await wrapper(program: printer("it's $(a) program", in: home), bellerophon: home.path("missing"))
        #expect(try await run(wrapper, Self.arguments, in: home) == ["it's $(a) program"] + Self.arguments)
    }
}
