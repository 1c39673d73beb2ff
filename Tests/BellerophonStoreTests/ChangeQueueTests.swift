import Dispatch
import TestSupport
import Testing

@testable import BellerophonStore

@Suite("Changes that wait for their turn")
struct ChangeQueueTests {
    @Test("A kill goes before the changes that wait, and the others keep their order")
    func urgentChangesGoFirst() async {
        let (queue, order, first) = (ChangeQueue(), Watched<[String]>([]), DispatchSemaphore(value: 0))
        queue.add { first.wait() }
        for name in ["rules", "restore"] { queue.add { order.update { $0.append(name) } } }
        for name in ["kill", "second kill"] { queue.add(isUrgent: true) { order.update { $0.append(name) } } }
        await withCheckedContinuation { continuation in
            queue.add { continuation.resume() }
            first.signal()
        }
        #expect(order.value == ["kill", "second kill", "rules", "restore"])
    }
}
