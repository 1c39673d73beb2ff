import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("The mark of a second process")
struct ProcessMarkTests {
    @Test(arguments: [ProcessMark(process: 1, start: 0), ProcessMark(process: .max, start: .max)])
    func valueIsParsedBack(mark: ProcessMark) {
        #expect(ProcessMark(mark.value) == mark)
    }

    @Test(arguments: [
        "", ":", "1", "1:", ":1", "0:1", "01:1", "1:01", "-1:1", "1:-1", "+1:1", " 1:1", "1: 1", "1:1 ", "1:1:1", "1:1\n", "1:a",
        "2147483648:1", "1:18446744073709551616", "١:1", "000000000000000000000000000000",
    ])
    func otherValueIsNotParsed(value: String) {
        #expect(ProcessMark(value) == nil)
        #expect(ProcessMark.owner(of: value, own: ProcessMark(process: 1, start: 1)) == .another)
    }

    @Test("A mark counts only in the process with that number and start time")
    func bothFactsAreCompared() {
        func owner(_ value: String?, own: ProcessMark? = ProcessMark(process: 7, start: 70)) -> ProcessMark.Owner {
            ProcessMark.owner(of: value, own: own)
        }
        #expect(owner("7:70") == .thisProcess)
        #expect(owner("7:71") == .another && owner("8:70") == .another)
        #expect(owner("7:70", own: nil) == .another)
        #expect(owner(nil) == .nobody && owner(nil, own: nil) == .nobody)
    }

    @Test("The program finds a mark with its own number, in place of one that was inherited")
    func programFindsItsMark() async throws {
        let (process, value) = try await onOwnThread {
            var command = ProgramCommand(
                ["/bin/sh", "-c", "echo \"$$ $MARK.\"; read line"],
                environment: ["MARK=1:2", "PATH=/bin"].map { Array($0.utf8) })
            command.markVariable = "MARK"
            let test = try ProgramUnderTest(command)
            try test.wait(forOutput: ".")
            let words = test.text.split(whereSeparator: { $0 == " " || $0 == "." })
            return (Int32(words[0]), ProcessMark(String(words[1])))
        }
        let mark = try #require(value)
        #expect(mark.process == process)
        #expect(mark.start >= (try #require(ProcessMark.own).start), "it started after this process")
    }
}
