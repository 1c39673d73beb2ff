@testable import Bellerophon
import Dispatch
import Foundation
import TestSupport
import Testing

@MainActor
@Suite("Stream inbox")
struct StreamInboxTests {
    /// While the main actor is busy here, the inbox fills up.
    @Test func idsAndNamesCountTowardsWhatMayWait() async throws {
        let taken = Watched<[StreamSignal]>([])
        let inbox = StreamInbox { signal in taken.update { $0.append(signal) } }
        let id = String(repeating: "i", count: 200_000)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for _ in 0..<100 { inbox.put(.event(StreamEvent(name: "status", data: Data("{}".utf8), id: id))) }
            done.signal()
        }
        done.wait()
        let signals = try await taken.wait(for: "the flood's end") { signals in
            signals.last == .closed(StatusError(.stream(.flood))) ? signals : nil
        }
        #expect(signals.count == 21, "4 MiB are twenty ids of 200,000 bytes, and the end")
    }
}
