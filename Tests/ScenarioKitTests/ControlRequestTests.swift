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
            .tell(
                .client(
                    ClientChange(version: .known("1.5.2"), osVersion: .unknown, facts: ["os": .known("macos"), "ci": .unknown]))),
            .tell(.client(ClientChange(version: .unknown, osVersion: .known(""), installID: .known("a\"b")))),
            .tell(.moveTime(.seconds(-90))), .tell(.setTime(SimulatedTime(Date(timeIntervalSince1970: 1_768_485_731)))),
            .tell(.resetClient), .shortcut(.nextChange),
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
                #"no command is named "dance"; there is status, select, play, pause, step, jump, speed, reset, client, time"#
            ),
            (#"{"command":"select","request":"status"}"#, #""select" needs "response""#),
            (#"{"command":"jump","step":0}"#, "there is no step 0; steps are counted from 1"),
            (#"{"command":"jump"}"#, #""jump" needs "step""#),
            (#"{"command":"speed","factor":0}"#, "expected a speed from 1 to 1000, found 0"),
            (#"{"command":"time"}"#, #""time" needs "by" or "to""#),
            (#"{"command":"time","to":"noon"}"#, "expected a time in UTC such as 2026-12-05T21:55:00Z, found noon"),
            (#"{"command":"time","by":1e300}"#, "expected a step of at most ten years"),
            (
                #"{"command":"client","version":"\#(String(repeating: "1", count: 129))"}"#,
                "version: expected at most 128 bytes"
            ),
            (
                #"{"command":"client","facts":{"":"x"}}"#,
                "expected a fact's name of 1 to 64 bytes, and a value of at most 256"
            ),
        ])
    func wrongRequestIsExplained(line: String, sentence: String) {
        #expect(throws: ControlError.refused(sentence)) { try ControlRequest(line: line) }
    }

    @Test(arguments: [
        ("+2h", TimeStep.by(.seconds(7200))), ("-30m", .by(.seconds(-1800))), ("90s", .by(.seconds(90))),
        ("+1d", .by(.seconds(86_400))), ("next", .next),
    ])
    func aStepOfTimeIsRead(text: String, step: TimeStep) { #expect(TimeStep(text) == step) }

    @Test(arguments: [
        "", "+", "2", "h", "+h", "+2", "++2h", "+2.5h", "+2H", "+1e9d", "+9999999d", "tomorrow", "2026-02-30T00:00:00Z",
    ])
    func anUnclearStepOfTimeIsNone(text: String) { #expect(TimeStep(text) == nil) }

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
