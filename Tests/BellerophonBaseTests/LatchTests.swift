import BellerophonBase
import Foundation
import Testing

@Suite("A latch") struct LatchTests {
    @Test func waitsEndOnceItIsOpen() {
        let latch = Latch()
        #expect(!latch.wait(atMost: .zero) && !latch.wait(atMost: .milliseconds(1)))
        Thread.detachNewThread { latch.open() }
        #expect(latch.wait(atMost: .seconds(180)))
        latch.open()
        #expect(latch.wait(atMost: .zero))
    }
}
