import Foundation
import TerminalUI
import TestSupport
import Testing

@Suite struct GoldenTests {
    @Test func aDifferenceIsShownRowByRow() {
        let difference = goldenDifference(expected: "same\nold\nsame\n", actual: "same\nnew\nsame\nmore\n")
        #expect(difference == "- 2│old\n+ 2│new\n- 4│\n+ 4│more\n+ 5│")
        #expect(goldenDifference(expected: "a\n", actual: "a\n") == "")
    }

    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"

    @Test(.disabled(if: isRecording)) func aMissingGoldenFails() {
        withKnownIssue {
            expectGolden(Frame(Size(columns: 3, rows: 1)), named: "never-recorded")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("no golden never-recorded-3x1.txt") }
        }
    }
}
