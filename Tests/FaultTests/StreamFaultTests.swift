import Bellerophon
import Foundation
import TestSupport
import Testing

/// The same faults for a stream: it ends once with a reported reason, the stage is unchanged, the app polls, and the
/// next connection follows after a wait.
@MainActor
@Suite("Network faults of a stream")
struct StreamFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        /// The possible reasons for the end; empty if the client must give the connection up for its silence.
        let errors: [String]
        let answer: @Sendable (Temptation) -> Behaviour

        var testDescription: String { name }

        init(_ name: String, _ errors: String..., answer: @escaping @Sendable (Temptation) -> Behaviour) {
            (self.name, self.errors, self.answer) = (name, errors, answer)
        }
    }

    nonisolated private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    nonisolated private static let ended = "the server closed the stream"

    nonisolated private static func stream(_ text: String, then steps: WireStep...) -> Behaviour {
        .wire([.send(head + "\r\n" + text)] + steps)
    }

    nonisolated static let faults: [Fault] = [
        Fault("empty reply", FaultTable.noAnswer) { _ in .hangUp },
        Fault("reset after the request", FaultTable.cut, FaultTable.noAnswer) { _ in .wire([.reset]) },
        Fault("reset after the head", FaultTable.cut, FaultTable.noAnswer) { _ in
            stream("", then: .wait(.milliseconds(50)), .reset)
        },
        Fault("reset within an event", FaultTable.cut, FaultTable.noAnswer) {
            stream("data: \($0.document)\n", then: .wait(.milliseconds(50)), .reset)
        },
        Fault("hang before headers") { _ in .hang },
        Fault("hang after the head") { _ in stream("", then: .hang) },
        Fault("hang within an event") { stream("data: \($0.document)", then: .hang) },
        Fault("an event that is cut", ended) { stream("data: \($0.document)\n") },
        Fault("a document without its name", ended) { stream("\($0.document)\n\n") },
        Fault("garbage", FaultTable.notHTTP) { _ in .garbage },
        Fault("a page", "expected text/event-stream, found text/html") { _ in .html() },
        Fault("a document", "expected text/event-stream, found application/json") { .json($0.document) },
        Fault("304", "the server replied with HTTP 304") { _ in .answer(Answer(status: 304)) },
        Fault("500 with a stream", "the server replied with HTTP 500") {
            .wire([.send("HTTP/1.1 500 No\r\nContent-Type: text/event-stream\r\n\r\ndata: \($0.document)\n\n")])
        },
        Fault("a line without end", "an event of the stream is larger than 262144 bytes") { _ in
            stream("data: ", then: .flood("x", times: 2_000_000))
        },
        Fault("an event without end", "an event of the stream is larger than 262144 bytes") { _ in
            stream("", then: .flood("data: x\n", times: 500_000))
        },
        Fault("events that are no statuses", ended) { _ in stream("event: status\ndata: {}\n\n") },
        Fault("an event of another name", ended) { stream("event: other\ndata: \($0.document)\n\n") },
        Fault("random bytes", ended) { _ in
            var random = SplitMix64(seed: Seed.of("random bytes of a stream", default: 3))
            return .wire([.send(head + "\r\n"), .send((0..<50_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })])
        },
        Fault("cross-origin redirect", "redirect refused: the server points to another origin, http://localhost:PORT") {
            .redirect(to: "http://localhost:\($0.port)/events")
        },
        Fault("redirect loop", "redirect refused: more than 3 in a row") { _ in .redirect(to: "/events") },
        Fault("a compressed bomb", FaultTable.compressed) { _ in
            .gzipBomb(inflatedBytes: 20_000_000, type: "text/event-stream")
        },
    ]

    @Test(arguments: faults, [Stage.active, .killed])
    func aFaultOfTheStreamChangesNothing(fault: Fault, from start: Stage) async throws {
        let pass = try await NetworkFaultTests.gate.enter()
        defer { withExtendedLifetime(pass) {} }
        let server = try HostileServer(.hang)
        let tempt = Temptation(start: start, port: server.port)
        server.answer { $0.path == "/events" ? fault.answer(tempt) : .hang }
        let (clock, window, reports) = (ManualClock(), CoverWindow(), Watched<[StatusReport]>([]))
        let source = ScriptedSource(StatusDocument(isInactive: start == .killed, requiresUpdate: false, interval: 3000))
        var config = BellerophonConfig(
            window: window, killSwitchView: CoverView("kill"), forceUpdateView: CoverView("update"), source: source)
        config.stream = URLSessionStatusStream(url: server.url("/events"))
        let manager = BellerophonManager(config: config, clock: clock, generator: SplitMix64(seed: 5))
        manager.onReport = { report in reports.update { $0.append(report) } }
        manager.checkAppStatus()
        _ = try await server.request(number: 1)
        let failure = try await eventually("end of the connection", within: patience) {
            // Three heartbeat intervals of silence after the connection opens.
            if fault.errors.isEmpty { clock.advance(by: .seconds(60)) }
            return reports.value.lazy.compactMap { if case .stream(.closed(let error, _)) = $0 { error } else { nil } }.first
        }
        let texts = fault.errors.map { $0.replacing("PORT", with: "\(server.port)") }
        #expect(texts.isEmpty || texts.contains(failure.description), "reported: \(failure.reason)")
        #expect(manager.machine.stage == start)
        #expect(window.shown == FaultRig.cover(for: start))
        #expect(manager.machine.polling == .regular)
        let seen = server.requests.count
        clock.advance(by: .seconds(130))
        _ = try await server.request(number: seen + 1)
        #expect(manager.machine.stage == start)
    }
}
