import BellerophonStore
import Foundation
import Testing

@testable import BellerophonServer

/// The order in which a hook is told of events.
@Suite struct WebhookScheduleTests {
    private let start = ContinuousClock.now
    private let away = WebhookProblem(description: "away")

    private func status(_ row: Int64, _ action: StatusAction = .kill, _ channel: String = "main") throws -> WebhookEvent {
        let json = """
            {"id":\(row),"at":"2026-11-22T06:00:00.000Z","who":"ada","action":"\(action.rawValue)","app":"default",\
            "channel":"\(channel)","document":"{}"}
            """
        return WebhookEvent(try StoreJSON.value(JournalEntry.self, from: Data(json.utf8)), store: "s")
    }

    private func rows(_ events: [WebhookEvent]) -> [Int64?] { events.map(\.row?.id) }

    @Test func killsComeFirstAndEachChannelInItsOrder() throws {
        var schedule = WebhookSchedule(attempts: 3, slots: 2)
        let rows1to4 = [
            try status(1, .restore, "a"), try status(2, .kill, "a"), try status(3, .restore, "b"), try status(4, .kill, "c"),
        ]
        for event in rows1to4 { #expect(schedule.add(event).isEmpty) }
        #expect(rows(schedule.next(at: start)) == [4, 1])
        #expect(schedule.next(at: start).isEmpty, "every slot is taken")
        _ = schedule.ended(try status(1, .restore, "a"), problem: nil, at: start)
        #expect(rows(schedule.next(at: start)) == [2], "kills first")
        _ = schedule.ended(try status(4, .kill, "c"), problem: nil, at: start)
        #expect(rows(schedule.next(at: start)) == [3])
        #expect(schedule.firstRow == 2)
    }

    @Test("A failed event is retried with growing delays and set aside after its last attempt")
    func failedEventIsRetried() throws {
        var schedule = WebhookSchedule(attempts: 3, slots: 1)
        let event = try status(1)
        _ = schedule.add(event)
        var now = start
        for pause in [1, 2] {
            #expect(schedule.next(at: now) == [event])
            #expect(schedule.ended(event, problem: away, at: now).isEmpty)
            #expect(schedule.next(at: now + .seconds(pause) - .milliseconds(1)).isEmpty)
            now += .seconds(pause)
        }
        #expect(schedule.next(at: now) == [event])
        #expect(schedule.ended(event, problem: away, at: now) == [.init(event: event, problem: "away")])
        #expect(schedule.firstRow == nil && schedule.next(at: now + .seconds(600)).isEmpty)
    }

    @Test("A receiver that names a later time is asked then")
    func retryAfterIsKept() throws {
        var schedule = WebhookSchedule(attempts: 3, slots: 1)
        let event = try status(1)
        _ = schedule.add(event)
        #expect(rows(schedule.next(at: start)) == [1])
        _ = schedule.ended(event, problem: WebhookProblem(description: "busy", retryAfter: .seconds(90)), at: start)
        #expect(schedule.next(at: start + .seconds(89)).isEmpty)
        #expect(rows(schedule.next(at: start + .seconds(90))) == [1])
    }

    @Test("Failed events of one channel are retried in order, and a delivered one discards earlier ones")
    func channelEventsRetryInOrder() throws {
        var schedule = WebhookSchedule(attempts: 9, slots: 8)
        let (first, second) = (try status(1), try status(2))
        _ = schedule.add(first)
        #expect(schedule.next(at: start) == [first])
        _ = schedule.ended(first, problem: away, at: start)
        _ = schedule.add(second)
        #expect(schedule.next(at: start) == [second], "it does not wait for the pause of the first")
        _ = schedule.ended(second, problem: away, at: start)
        let later = start + .seconds(1)
        #expect(schedule.next(at: later) == [first])
        _ = schedule.ended(first, problem: away, at: later)
        #expect(schedule.next(at: later) == [second])
        #expect(schedule.ended(second, problem: nil, at: later).map(\.event) == [first], "it must not arrive after the second")
    }

    @Test("A hanging event does not block other channels, and first attempts precede retries")
    func firstAttemptsGoFirst() throws {
        var schedule = WebhookSchedule(attempts: 9, slots: 2)
        for row in 1...3 { _ = schedule.add(try status(Int64(row), .kill, "c\(row)")) }
        #expect(rows(schedule.next(at: start)) == [1, 2])
        _ = schedule.ended(try status(2, .kill, "c2"), problem: away, at: start)
        #expect(rows(schedule.next(at: start + .seconds(60))) == [3], "first attempts go before further ones")
    }

    @Test func someSlotsAreForKillsAlone() throws {
        var schedule = WebhookSchedule(attempts: 9, slots: 4)
        for row in 1...9 { _ = schedule.add(try status(Int64(row), .restore, "c\(row)")) }
        #expect(rows(schedule.next(at: start)) == [1, 2, 3])
        _ = schedule.add(try status(10, .kill, "d"))
        #expect(rows(schedule.next(at: start)) == [10])
    }

    @Test func moreEventsThanHaveRoomPutTheOldestAside() throws {
        var schedule = WebhookSchedule(attempts: 9, slots: 1)
        for row in 1...WebhookSchedule.capacity { _ = schedule.add(try status(Int64(row))) }
        #expect(rows(schedule.next(at: start)) == [1])
        let aside = schedule.add(try status(5000, .restore, "x"))
        #expect(aside.map(\.event.row?.id) == [2], "the first is being told of")
    }
}
