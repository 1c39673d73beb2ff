import Testing

@testable import Bellerophon

@Suite struct EventQueueTests {
    @Test func anEventDuringTheHandlingWaitsForItsTurn() {
        var queue = EventQueue<String>()
        var handled: [String] = []
        #expect(queue.add("check") == true)
        while let event = queue.next() {
            handled.append(event)
            if event == "check" {
                #expect(queue.add("reply") == false, "the loop around handles it")
                #expect(queue.add("transition") == false)
            }
        }
        #expect(handled == ["check", "reply", "transition"])
    }

    @Test("An event sent after the queue is drained is handled by its sender")
    func queueAcceptsEventAfterEnd() {
        var queue = EventQueue<Int>()
        #expect(queue.add(1) == true)
        #expect(queue.next() == 1)
        #expect(queue.add(2) == false, "the actions of the first event may still be in progress")
        #expect(queue.next() == 2)
        #expect(queue.next() == nil)
        #expect(queue.add(3) == true)
    }
}
