import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import Bellerophon

/// Streams that send bytes without events.
@Suite("Streams without events")
struct IdleStreamTests {
    private func idleBytes(_ chunks: [String]) throws -> Int {
        var parser = EventStreamParser()
        for chunk in chunks { _ = try parser.consume(Array(chunk.utf8)) }
        return parser.idleBytes
    }

    @Test(
        "Bytes outside an event are counted as idle",
        arguments: [
            (":\n", 2), (": heartbeat\n\n", 13), ("\n\n\n", 3), ("retry: 5\n", 9), ("other: 1\n", 9), ("id: 1\n\n", 7),
            ("event: a\nevent: b\n", 18), ("event: a\nid: 1\npublished: 5\ndata: x\n\n", 0), (":\ndata: x\n\n:\n", 4),
        ])
    func idleBytesAreCounted(text: String, count: Int) throws {
        #expect(try idleBytes([text]) == count)
        #expect(try idleBytes(text.map { String($0) }) == count, "byte by byte")
    }

    @Test func oneMebibyteAMinuteIsAllowed() {
        var allowance = IdleAllowance()
        let start = ContinuousClock.now
        let steps = [(1 << 20, 0), (1 << 20, 59), (2 << 20, 60), ((2 << 20) + 1, 61)]
        let answers = steps.map { total, seconds in
            allowance.permits(total, at: start.advanced(by: .seconds(seconds)))
        }
        #expect(answers == [true, true, true, false])
    }

    @Test(arguments: [":\n", "\n", "event: x\n", "unknown: y\n", "retry: 1\n"])
    func aFloodWithoutEventsEndsTheStream(line: String) async throws {
        let lines = String(repeating: line, count: (64 << 10) / line.utf8.count)
        let server = try HostileServer(
            .wire([.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"), .flood(lines, times: 1 << 20)]))
        let stream = URLSessionStatusStream(url: server.url())
        let end = Watched<StatusError?>(nil)
        let connection = stream.connect(lastEventID: nil) { signal in
            if case .closed(let error) = signal { end.update { $0 = error } }
        }
        #expect(try await end.wait(for: "the end of the stream") { $0 }.reason == .stream(.flood))
        connection.cancel()
    }

    @Test func commentsInARowAreOneHeartbeat() async throws {
        let text = String(repeating: ":\n", count: 1000)
        let server = try HostileServer(.stream(ServerFeed(text + "data: a\n\n")))
        let stream = URLSessionStatusStream(url: server.url())
        let signals = Watched<[StreamSignal]>([])
        let connection = stream.connect(lastEventID: nil) { signal in signals.update { $0.append(signal) } }
        let heard = try await signals.wait(for: "the event") { signals in
            signals.contains { if case .event = $0 { true } else { false } } ? signals : nil
        }
        #expect(heard.count { $0 == .heartbeat } < 100, "one for each piece that arrived")
        connection.cancel()
    }

    @Test func afterAFloodTheNextConnectionWaitsLonger() {
        func failures(after reason: StreamError) -> Int {
            var test = StreamMachineUnderTest()
            test.live()
            test.hear(.closed(StatusError(.stream(reason))))
            return test.machine.failures
        }
        #expect(failures(after: .ended) == 1)
        #expect(failures(after: .flood) == 6)
    }
}
