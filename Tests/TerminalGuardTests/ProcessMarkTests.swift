import Foundation
import Processes
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("The mark of a second process")
struct ProcessMarkTests {
    @Test("A mark counts only in the process with that number and start time")
    func bothFactsAreCompared() {
        func owner(_ value: String?, own: String? = "7:70") -> ProcessMark.Owner { ProcessMark.owner(of: value, own: own) }
        #expect(owner("7:70") == .thisProcess)
        for other in ["7:71", "8:70", "07:70", "7:70 ", "", ":", "7", "٧:70"] { #expect(owner(other) == .another) }
        #expect(owner("7:70", own: nil) == .another)
        #expect(owner(nil) == .nobody && owner(nil, own: nil) == .nobody)
    }

    @Test("The program finds a mark with its own number, in place of one that was inherited")
    func programFindsItsMark() async throws {
        let (process, value) = try await onOwnThread {
            var command = ProgramCommand(
                ["/bin/sh", "-c", "echo \"$$ $MARK.\"; read line"],
                environment: ["MARK": "1:2", "PATH": "/bin"])
            command.markVariable = "MARK"
            let test = try ProgramUnderTest(command)
            try test.wait(forOutput: ".")
            let words = test.text.split(whereSeparator: { $0 == " " || $0 == "." })
            return (words[0], words[1].split(separator: ":"))
        }
        let own = try #require(ProcessMark.own).split(separator: ":")
        #expect(value.count == 2 && value[0] == process)
        #expect(try #require(UInt64(value[1])) >= (try #require(UInt64(own[1]))), "it started after this process")
    }
}
