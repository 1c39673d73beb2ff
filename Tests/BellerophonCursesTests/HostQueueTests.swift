import TerminalUI
import Testing

@testable import BellerophonCurses

@Suite("Keys that wait for a host")
struct HostQueueTests {
    @Test("A host gets its keys in order, a new size first and once, and nothing while it is covered")
    func order() {
        var queue = HostQueue()
        queue.append(.up)
        queue.resized()
        queue.resized()
        #expect(queue.next(isCovered: true) == nil)
        #expect(queue.next(isCovered: false) == .key(.resize))
        #expect(queue.next(isCovered: false) == .key(.up))
        #expect(queue.next(isCovered: false) == nil)
    }

    @Test("A host is told to leave each time it asks, also while it is covered")
    func quit() {
        var queue = HostQueue()
        queue.append(.up)
        queue.quit()
        #expect(queue.next(isCovered: true) == .quit)
        #expect(queue.next(isCovered: false) == .quit)
    }
}
