import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

@MainActor
@Suite("Stream inbox")
struct StreamInboxTests {
    private func event(bytes: Int = 0, _ number: Int = 0) -> StreamSignal {
        .event(StreamEvent(data: Data(count: bytes), id: "\(number)"))
    }

    /// Fills an inbox without emptying it.
    private func filled(_ signals: [StreamSignal]) -> StreamInbox {
        let inbox = StreamInbox { _ in }
        for signal in signals { inbox.put(signal) }
        return inbox
    }

    private func turns(of inbox: StreamInbox) -> [[StreamSignal]] {
        var turns: [[StreamSignal]] = []
        while true {
            let (signals, hasMore) = inbox.dequeue()
            turns.append(signals)
            if !hasMore { return turns }
        }
    }

    @Test func idsAndNamesCountTowardsWhatMayWait() {
        let id = String(repeating: "i", count: 200_000)
        let flood = StreamSignal.event(StreamEvent(name: "status", data: Data("{}".utf8), id: id))
        let signals = turns(of: filled(Array(repeating: flood, count: 100))).flatMap(\.self)
        #expect(signals.count == 21, "4 MiB are twenty ids of 200,000 bytes, and the end")
        #expect(signals.last == .closed(StatusError(.stream(.flood))))
    }

    @Test func aTurnTakesABoundedNumberAndTheOrderStays() {
        let events = (0..<100).map { event($0) }
        let turns = turns(of: filled(events))
        #expect(turns.map(\.count) == [32, 32, 32, 4])
        #expect(turns.flatMap(\.self) == events)
    }

    @Test("A turn takes a limited number of bytes but always at least one event")
    func turnIsLimitedByBytes() {
        let sizes = [200_000, 60_000, 60_000, 250_000, 400_000, 10, 10]
        let turns = turns(of: filled(sizes.map { event(bytes: $0) }))
        #expect(turns.map(\.count) == [2, 1, 1, 1, 2])
    }

    @Test("Waiting events are announced once until all of them are taken")
    func waitingEventsAnnounceOnce() {
        let announcements = Mutex(0)
        let inbox = StreamInbox { _ in announcements.withLock { $0 += 1 } }
        for number in 0..<40 { inbox.put(event(number)) }
        #expect(inbox.dequeue().hasMore)
        inbox.put(event(40))
        #expect(announcements.withLock(\.self) == 1)
        #expect(!inbox.dequeue().hasMore)
        inbox.put(event(41))
        #expect(announcements.withLock(\.self) == 2)
    }

    @Test("Events taken from the inbox make room for new ones")
    func takenEventsMakeRoom() {
        let inbox = filled((0..<StreamInbox.countLimit).map { event($0) })
        _ = inbox.dequeue()
        for number in 0..<StreamInbox.turnCountLimit { inbox.put(event(number)) }
        let left = turns(of: inbox).flatMap(\.self)
        #expect(left.count == StreamInbox.countLimit)
        #expect(left.allSatisfy { if case .event = $0 { true } else { false } })
    }
}
