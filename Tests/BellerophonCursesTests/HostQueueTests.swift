import TerminalUI
import Testing

@testable import BellerophonCurses

@Suite("Keys that wait for a host")
struct HostQueueTests {
    private let start = ContinuousClock.now

    @Test("A host gets its keys in order, a new size first and once, and nothing while it is covered")
    func order() {
        var queue = HostQueue()
        queue.append(.up)
        for _ in 1...2 { queue.needsLayout = true }
        #expect(queue.next(isCovered: true) == nil)
        #expect(queue.next(isCovered: false) == .key(.resize))
        #expect(queue.next(isCovered: false) == .key(.up))
        #expect(queue.next(isCovered: false) == nil)
    }

    @Test("A host is told to leave each time it asks, also while it is covered")
    func quit() {
        var queue = HostQueue()
        queue.append(.up)
        queue.hasQuit = true
        #expect(queue.next(isCovered: true) == .quit)
        #expect(queue.next(isCovered: false) == .quit)
    }

    @Test("A host is told to leave at the end of the input, and no more is read for it")
    func endOfInput() {
        var queue = HostQueue()
        queue.isUsed = true
        #expect(queue.takesKeys)
        queue.endInput()
        #expect(!queue.takesKeys)
        for isCovered in [true, false] {
            #expect(queue.step(isCovered: isCovered, until: start, whileCovered: true, at: start) == .event(.quit))
        }
    }

    @Test("Keys are read for a host that asks for them, until many wait")
    func room() {
        var queue = HostQueue()
        #expect(!queue.takesKeys)
        queue.isUsed = true
        for _ in 0..<HostQueue.room {
            #expect(queue.takesKeys)
            queue.append(.up)
        }
        #expect(!queue.takesKeys)
        _ = queue.next(isCovered: false)
        #expect(queue.takesKeys)
    }

    @Test("A timeout is reported when it has elapsed, and a key that waits comes first")
    func timeout() {
        var queue = HostQueue()
        let end = start + .seconds(2)
        #expect(queue.step(isCovered: false, until: end, at: start + .milliseconds(500)) == .wait(.milliseconds(1500)))
        queue.append(.up)
        #expect(queue.step(isCovered: false, until: end, at: start + .seconds(3)) == .event(.key(.up)))
        #expect(queue.step(isCovered: false, until: end, at: start + .seconds(3)) == .event(.timeout))
        #expect(queue.step(isCovered: false, until: end, at: end) == .event(.timeout))
        #expect(queue.step(isCovered: false, until: nil, whileCovered: true, at: start) == .wait(nil))
    }

    @Test("Under a view a timeout is reported only to a host that asks for it, and keys wait")
    func timeoutWhileCovered() {
        var queue = HostQueue()
        queue.append(.up)
        let end = start + .seconds(2), later = start + .seconds(3)
        #expect(queue.step(isCovered: true, until: end, at: later) == .wait(nil))
        #expect(queue.step(isCovered: true, until: end, whileCovered: true, at: start) == .wait(.seconds(2)))
        #expect(queue.step(isCovered: true, until: end, whileCovered: true, at: later) == .event(.timeout))
        #expect(queue.step(isCovered: false, until: end, whileCovered: true, at: later) == .event(.key(.up)))
    }
}
