import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("A signed status that is ahead of this machine's clock")
struct EarlyStatusTests {
    private static let issuedAt = Date(timeIntervalSince1970: 1_796_508_000)
    /// Two hours slow.
    private static let wall = issuedAt.addingTimeInterval(-7200)

    /// Trusts every document, issued at ``issuedAt`` and valid for a day.
    private struct Verifier: StatusVerifier {
        func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus {
            let expiresAt = issuedAt.addingTimeInterval(86_400)
            if let date, issuedAt.timeIntervalSince(date) > 60 { throw .futureDated(issuedAt: issuedAt, now: date) }
            if let date, expiresAt <= date { throw .expired(at: expiresAt, now: date) }
            return VerifiedStatus(
                document: bytes,
                proof: StatusProof(keyID: "key", serial: 7, issuedAt: issuedAt, expiresAt: expiresAt, signed: bytes))
        }
    }

    private struct Client {
        private var test = MachineUnderTest()
        private let reader = StatusReader(verifier: Verifier())
        var machine: StageMachine { test.machine }
        var now: MonotonicInstant { test.now }

        /// A check whose reply has a document, with this `Date` beside it.
        mutating func check(_ document: String, date: TimeInterval?) {
            var exchange = StatusExchange(metadata: ExchangeMetadata(httpStatus: 200), body: Data(document.utf8))
            exchange.metadata.serverDate = date.map(issuedAt.addingTimeInterval)
            var reader = reader
            guard case .failure(let error) = reader.read(exchange, earlier: nil, at: wall) else { return }
            test.fail(error.received(on: wall))
        }

        /// An event of a stream whose server shows this time.
        mutating func push(_ document: String, date: TimeInterval) {
            var event = StreamEvent(data: Data(document.utf8))
            event.serverDate = issuedAt.addingTimeInterval(date)
            guard case .failure(let error) = reader.read(event, at: wall) else { return }
            test.send(.pushFailed(error.received(on: wall)))
        }
    }

    private static let kill = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":60}"#
    private static let update = #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60}"#
    private static let clear = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60}"#

    @Test func aKillCoversAndMovesNoClock() {
        var client = Client()
        client.check(Self.kill, date: 30)
        #expect(client.machine.stage == .killed)
        #expect(client.machine.proof?.serial == 7)
        #expect(client.machine.lastReply?.clockLag == .seconds(7230))
        #expect(client.machine.planDate(at: client.now) == Self.wall)
        #expect(client.machine.isPlanDateConfirmed == false)
    }

    @Test func withoutADateThatAgreesItIsRefused() {
        for date in [nil, -61, 86_400] as [TimeInterval?] {
            var client = Client()
            client.check(Self.kill, date: date)
            #expect(client.machine.stage == .unknown)
            #expect(client.machine.failures == 1)
        }
    }

    @Test func nothingIsLiftedOrWeakened() {
        var client = Client()
        client.check(Self.clear, date: 30)
        #expect(client.machine.document == nil, "an all clear is not confirmed by a Date either")
        client.check(Self.kill, date: 30)
        client.check(Self.clear, date: 30)
        #expect(client.machine.stage == .killed)
        var other = Client()
        other.check(Self.update, date: 30)
        other.check(Self.kill, date: 30)
        #expect(other.machine.stage == .updateRequired)
    }

    @Test func aPushedKillCountsByTheTimeOfItsStream() {
        var client = Client()
        client.push(Self.kill, date: 30)
        #expect(client.machine.stage == .killed)
        client.push(Self.clear, date: 30)
        #expect(client.machine.stage == .killed)
    }
}
