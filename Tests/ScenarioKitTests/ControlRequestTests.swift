import Barricade
import Foundation
import LocalControl
import Testing

@testable import ScenarioKit

/// The lines that scripts and a running program exchange.
@Suite struct ControlRequestTests {
    @Test(
        arguments: [
            .status, .tell(.select(request: "status", response: "pau\"sed")), .tell(.play("planned maintenance")),
            .tell(.resume(request: nil)), .tell(.pause(request: nil)), .tell(.step(request: "status")),
            .tell(.jump(to: 2, request: nil)), .tell(.speed(10)), .tell(.reset(request: nil)), .tell(.reset(request: "status")),
        ] as [ControlRequest])
    func everyRequestIsReadAsItWasWritten(request: ControlRequest) throws {
        #expect(!request.line.contains("\n"))
        #expect(try ControlRequest(line: request.line) == request)
    }

    @Test func aPersonCountsStepsFromOne() {
        #expect(ControlRequest.tell(.jump(to: 2, request: nil)).line == #"{"command":"jump","step":3}"#)
        #expect(ControlText.refusal(.unknownStep(9, count: 4)) == "there is no step 10; steps are counted from 1 to 4")
    }

    @Test(
        "An invalid control request is refused with a sentence",
        arguments: [
            ("hello", #"expected a JSON object with a command, such as {"command":"status"}"#),
            ("[]", #"expected a JSON object with a command, such as {"command":"status"}"#),
            (
                #"{"command":"dance"}"#,
                #"no command is named "dance"; there is status, select, play, pause, step, jump, speed, reset"#
            ),
            (#"{"command":"select","request":"status"}"#, #""select" needs "response""#),
            (#"{"command":"jump","step":0}"#, "there is no step 0; steps are counted from 1"),
            (#"{"command":"jump"}"#, #""jump" needs "step""#),
            (#"{"command":"speed","factor":0}"#, "expected a speed from 1 to 1000, found 0"),
        ])
    func wrongRequestIsExplained(line: String, sentence: String) {
        #expect(throws: ControlError.refused(sentence)) { try ControlRequest(line: line) }
    }

    // MARK: Lines

    @Test func bytesAreCutIntoLinesWhereverTheyAreSplit() {
        var buffer = LineBuffer(limit: 8)
        buffer.append(Array("one\ntw".utf8))
        #expect(buffer.next() == .text("one"))
        #expect(buffer.next() == nil)
        buffer.append(Array("o\r\n\nå".utf8.dropLast()))
        #expect(buffer.next() == .text("two"))
        #expect(buffer.next() == .text(""))
        #expect(buffer.next() == nil)
        buffer.append([0xA5, 0x0A])
        #expect(buffer.next() == .text("å"))
    }

    @Test func aLineThatIsTooLongOrNoTextIsUnfit() {
        var buffer = LineBuffer(limit: 8)
        buffer.append(Array("12345678".utf8))
        #expect(buffer.next() == nil)
        buffer.append(Array("9".utf8))
        #expect(buffer.next() == .unfit("the line is longer than 8 bytes"))
        var other = LineBuffer(limit: 8)
        other.append([0xFF, 0xFE, 0x0A])
        #expect(other.next() == .unfit("the line is not UTF-8"))
    }
}
