import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: replies of the terminal")
struct GuardMachineReplyTests {
    private static let color = "\u{1B}]11;rgb:0/0/0\u{1B}\\"

    /// A program under the cover.
    private func covered(after output: String = "") -> GuardUnderTest {
        var test = GuardUnderTest.running()
        test.output(output)
        test.send(.kill)
        return test
    }

    @Test("A control string typed on the cover does not reach the program")
    func stringTypedOnCoverIsDropped() {
        var test = covered()
        test.type("\u{1B}]1:wq text\u{7}")
        #expect(test.takeTyped() == "")
        test.type("j")
        #expect(test.takePressed() == [.character("j")])
    }

    @Test(arguments: [false, true])
    func aStringReachesTheProgramThatHasAskedForIt(isAskedUnderTheCover: Bool) {
        var test = covered(after: isAskedUnderTheCover ? "" : "\u{1B}]11;?\u{7}")
        if isAskedUnderTheCover { test.output("\u{1B}]11;?\u{7}") }
        #expect(test.timers[.replies] == .seconds(5))
        test.type(Self.color + Self.color)
        #expect(test.takeTyped() == Self.color)
        #expect(test.timers == [:])
    }

    @Test("A reply that arrives after the reply timeout is discarded, and the Escape timeout is short again")
    func lateReplyToQueryIsDropped() {
        var test = covered(after: "\u{1B}]11;?\u{7}")
        test.fire(.replies)
        test.type(Self.color)
        #expect(test.takeTyped() == "" && test.takePressed() == [])
        test.type("\u{1B}")
        #expect(test.timers[.escapeKey] == .milliseconds(25))
    }

    @Test("Keys work again on the cover one second after an unterminated control string")
    func keysWorkAfterUnterminatedString() {
        var test = covered()
        test.type("\u{1B}]1")
        #expect(test.timers[.unitEnd] == .seconds(1))
        test.type("j")
        #expect(test.takePressed() == [])
        test.fire(.unitEnd)
        test.type("j")
        #expect(test.takePressed() == [.character("j")])
        #expect(test.takeTyped() == "" && test.timers == [:])
    }

    /// The person has typed Alt, a bracket and a digit into the program.
    @Test("An unterminated string begun in the program does not capture keys pressed on the cover")
    func stringBegunInProgramFreesKeys() {
        var test = GuardUnderTest.running()
        test.type("\u{1B}]1")
        #expect(test.timers[.unitEnd] == .seconds(1))
        test.send(.kill)
        test.fire(.unitEnd)
        test.type("j")
        #expect(test.takeTyped() == "\u{1B}]1")
        #expect(test.takePressed() == [.character("j")])
    }

    // MARK: Replies in parts

    @Test(arguments: ["\u{1B}[?62;22c", color], 1...3)
    func aReplyInTwoPartsIsWaitedForLonger(reply: String, length: Int) {
        var test = covered(after: reply == Self.color ? "\u{1B}]11;?\u{7}" : "\u{1B}[c")
        test.type(String(reply.prefix(length)))
        if length < 3 { #expect(test.timers[.escapeKey] == .milliseconds(500)) }
        test.type(String(reply.dropFirst(length)))
        #expect(test.takeTyped() == reply && test.takePressed() == [])
        #expect(test.timers == [:])
    }

    @Test func aSlowReplyIsGivenMoreTimeThanAString() {
        var test = covered(after: "\u{1B}]11;?\u{7}")
        test.type("\u{1B}]11;rgb:")
        #expect(test.timers[.unitEnd] == .seconds(5))
    }

    @Test("A query deferred by the update command awaits its reply only after it is sent")
    func deferredQueryIsAwaitedWhenSent() {
        var test = covered()
        test.send(.lend)
        test.output("\u{1B}]11;?\u{7}")
        #expect(test.timers[.replies] == nil)
        test.send(.takeBack)
        #expect(test.timers[.replies] != nil)
        test.type(Self.color)
        #expect(test.takeTyped() == Self.color)
    }
}
