import Foundation
import TestSupport
import Testing

@testable import Bellerophon

/// Statuses that arrive out of order: from two caches, from a lagging stream, from a server whose clock was wrong.
@Suite("Stage machine: order of publication")
struct StageMachineOrderTests {
    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_768_485_000 + seconds) }

    private static func reply(_ stage: Stage, _ second: Double?, pushed: Bool = false) -> StatusReply {
        StatusReply(
            .to(stage),
            metadata: ExchangeMetadata(httpStatus: pushed ? nil : 200, isPushed: pushed, publishedAt: second.map(date))
        )
    }

    private func poll(_ test: inout MachineUnderTest, _ stage: Stage, _ second: Double?) {
        test.send(.checkRequested(.timer))
        test.send(.replied(test.checkID, Self.reply(stage, second)))
    }

    private func push(_ test: inout MachineUnderTest, _ stage: Stage, _ second: Double?) {
        test.send(.pushed(Self.reply(stage, second, pushed: true)))
    }

    @Test("An older clear from a lagging cache does not lift a kill")
    func laggingCacheLiftsNoKill() {
        var test = MachineUnderTest(policy: PollPolicy())
        poll(&test, .active, 1)
        poll(&test, .killed, 2)
        for _ in 0..<200 {
            test.wait(.seconds(300))
            poll(&test, .active, 1)
            #expect(test.machine.stage == .killed)
            test.wait(.seconds(300))
            poll(&test, .killed, 2)
        }
        #expect(test.transitions.map(\.to) == [.active, .killed])
        poll(&test, .active, 3)
        #expect(test.machine.stage == .active)
    }

    @Test func aNewerAnswerCountsForWhatFollowsAPush() {
        var test = MachineUnderTest()
        push(&test, .killed, 2)
        poll(&test, .active, 3)
        poll(&test, .killed, 4)
        poll(&test, .active, 3)
        #expect(test.machine.stage == .killed, "older than the newest, although newer than the push")
        #expect(test.machine.nextCheck != nil && test.machine.failures == 0)
    }

    @Test("An outdated push changes nothing and causes a check")
    func laggingStreamCausesCheck() {
        var test = MachineUnderTest()
        poll(&test, .killed, 2)
        test.send(.pollingChanged(.resting))
        test.forget()
        let late = Self.reply(.active, 1, pushed: true)
        test.send(.pushed(late))
        #expect(test.machine.stage == .killed)
        #expect(test.reports.first == .pushOutdated(late))
        #expect(test.machine.pending != nil || (test.machine.nextCheck?.wait ?? .seconds(99)) <= .seconds(2))
        push(&test, .killed, 2)
        #expect(test.machine.resumableEventID == nil && test.machine.lastPush?.document == .killed())
        push(&test, .active, 3)
        #expect(test.machine.stage == .active)
    }

    @Test func anOlderPushIsNotWhatAStreamIsResumedAfter() {
        var test = MachineUnderTest()
        poll(&test, .killed, 2)
        test.send(
            .pushed(StatusReply(.active(), metadata: ExchangeMetadata(isPushed: true, eventID: "1", publishedAt: Self.date(1)))))
        #expect(test.machine.resumableEventID == nil)
    }

    // MARK: Retention

    @Test func anOlderKillIsLeftOutForTwoMinutesAtMost() {
        var test = MachineUnderTest()
        poll(&test, .active, 100)
        test.wait(.seconds(119))
        poll(&test, .killed, 50)
        #expect(test.machine.stage == .active)
        test.wait(.seconds(1))
        poll(&test, .killed, 50)
        #expect(test.machine.stage == .killed, "a server's clock may have been set back")
        poll(&test, .active, 51)
        #expect(test.machine.stage == .active, "from there on its new clock counts")
    }

    @Test("A restore older than a kill lifts it only after a day")
    func olderRestoreCountsAfterDay() {
        var test = MachineUnderTest()
        poll(&test, .killed, 100)
        test.wait(.seconds(86_399))
        poll(&test, .active, 50)
        #expect(test.machine.stage == .killed)
        test.wait(.seconds(1))
        poll(&test, .active, 50)
        #expect(test.machine.stage == .active)
    }

    @Test func anOlderKillDoesNotReplaceANewerOne() {
        var test = MachineUnderTest()
        poll(&test, .killed, 100)
        test.wait(.seconds(600))
        poll(&test, .updateRequired, 40)
        poll(&test, .active, 50)
        #expect(test.machine.stage == .killed)
    }

    @Test("A clear without a date lifts a dated kill only after a day")
    func undatedClearCountsAfterDay() {
        var test = MachineUnderTest()
        poll(&test, .active, nil)
        poll(&test, .killed, nil)
        poll(&test, .active, nil)
        #expect(test.machine.stage == .active, "without any date what came last counts")
        poll(&test, .killed, 100)
        test.wait(.seconds(86_399))
        poll(&test, .active, nil)
        #expect(test.machine.stage == .killed)
        test.wait(.seconds(1))
        poll(&test, .active, nil)
        #expect(test.machine.stage == .active)
        poll(&test, .killed, nil)
        #expect(test.machine.stage == .killed)
    }

    @Test("A status given or fetched by the app counts without a date")
    func ownStatusNeedsNoDate() {
        var test = MachineUnderTest()
        poll(&test, .killed, 100)
        test.send(.statusGiven(StatusReply(.active())))
        #expect(test.machine.stage == .active)
        poll(&test, .killed, 100)
        test.answer(.active())
        #expect(test.machine.stage == .active)
    }

    @Test func theSameDateAgainIsNotOlder() {
        var test = MachineUnderTest()
        push(&test, .killed, 5)
        poll(&test, .killed, 5)
        #expect(!test.reports.contains { if case .replyOutdated = $0 { true } else { false } })
    }

    // MARK: Trusted dates

    @Test func a304WithoutADateHasThatOfItsDocument() throws {
        var reader = StatusReader()
        let body = Data(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":60}"#.utf8)
        var whole = StatusExchange(metadata: ExchangeMetadata(httpStatus: 200, publishedAt: Self.date(1)), body: body)
        whole.entityTag = "\"1\""
        _ = try reader.read(whole, earlier: nil).get()
        let unchanged = StatusExchange(metadata: ExchangeMetadata(httpStatus: 304))
        #expect(try reader.read(unchanged, earlier: reader.known).get().metadata?.publishedAt == Self.date(1))
        let dated = StatusExchange(metadata: ExchangeMetadata(httpStatus: 304, publishedAt: Self.date(2)))
        #expect(try reader.read(dated, earlier: reader.known).get().metadata?.publishedAt == Self.date(2))
        var unreadable = unchanged
        unreadable.metadata.published = .unreadable
        #expect(try reader.read(unreadable, earlier: reader.known).get().metadata?.published == .unreadable)
    }

    @Test(arguments: [
        ("1764050400123", PublicationDate.at(Date(timeIntervalSince1970: 1_764_050_400.123))),
        (" 0 ", .at(Date(timeIntervalSince1970: 0))), ("1764050400123, 1764050400123", .unreadable), ("", .unreadable),
        ("-1", .unreadable), ("17640504001234", .unreadable), ("1e3", .unreadable),
    ])
    func aFieldThatIsThereIsADateOrUnreadable(field: String, date: PublicationDate) {
        #expect(PushHeaders.date(field) == date)
    }
}
