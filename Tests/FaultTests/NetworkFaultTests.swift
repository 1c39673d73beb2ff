import Bellerophon
import Foundation
import TestSupport
import Testing

/// Every network fault, for an active and for a killed app. Only a valid status changes the stage, the error is
/// reported, and the next check is scheduled.
@MainActor
@Suite("Network faults")
struct NetworkFaultTests {
    nonisolated static let gate = SessionGate(limit: 8)

    @Test(arguments: FaultTable.chosen, [Stage.active, .killed])
    func aFaultChangesNothing(fault: FaultCase, from start: Stage) async throws {
        let pass = try await Self.gate.enter()
        defer { withExtendedLifetime(pass) {} }
        try await run(fault, from: start)
    }

    private func run(_ fault: FaultCase, from start: Stage) async throws {
        let server = try HostileServer(Self.document(for: start))
        let limits = URLSessionStatusSource.Limits(deadline: fault.deadline)
        let rig = FaultRig(URLSessionStatusSource(url: Self.url(of: fault, server), limits: limits))
        try await begin(rig, at: start, fault)
        try `break`(server, with: fault, from: start)

        let end = try await rig.performCheck { rig.manager.check(.person) }
        Self.expect(end, of: fault, from: start, port: server.port)
        let stage = if case .believed = fault.outcome { Temptation(start: start, port: 0).stage } else { start }
        #expect(rig.manager.machine.stage == stage)
        #expect(rig.window.shown == FaultRig.cover(for: stage))
        Self.expect(rig.manager.machine.nextCheck, of: fault)

        try await recover(rig, server, fault)
    }

    private func begin(_ rig: FaultRig, at start: Stage, _ fault: FaultCase) async throws {
        if case .unknownHost = fault.fault {
            rig.manager.updateDisplay(StatusDocument(isInactive: start == .killed, requiresUpdate: false, interval: 9))
        } else {
            try await rig.settle(on: start)
        }
        #expect(rig.window.shown == FaultRig.cover(for: start))
    }

    /// A valid status takes effect at the next check, which starts automatically.
    private func recover(_ rig: FaultRig, _ server: HostileServer, _ fault: FaultCase) async throws {
        if case .unknownHost = fault.fault { return }
        server.resetsConnections = false
        if case .refused = fault.fault { try server.start() }
        let other: Stage = rig.manager.machine.stage == .killed ? .active : .killed
        server.reply = Self.document(for: other)
        let wait = try #require(rig.manager.machine.nextCheck?.wait)
        _ = try await rig.performCheck {
            // A view is drawn in each second: the hour of a `Retry-After` or of an interval passes only for an app without one.
            if rig.window.shown != nil, wait > .seconds(300) { rig.manager.check(.person) } else { rig.clock.advance(by: wait) }
        }
        try await rig.settle(on: other)
        #expect(rig.window.shown == FaultRig.cover(for: other))
        #expect(rig.manager.machine.failures == 0)
    }
}

extension NetworkFaultTests {
    private static func url(of fault: FaultCase, _ server: HostileServer) -> URL {
        guard case .unknownHost = fault.fault else { return server.url() }
        return URL(string: "http://name.invalid/status") ?? server.url()
    }

    private static func document(for stage: Stage) -> Behaviour {
        .status(#"{"apiInactive":\#(stage == .killed),"forceUpdate":false,"retryInterval":9,"userMessage":"Before."}"#)
    }

    private func `break`(_ server: HostileServer, with fault: FaultCase, from start: Stage) throws {
        let tempt = Temptation(start: start, port: server.port)
        switch fault.fault {
        case .refused: try server.stop()
        case .unknownHost: break
        case .resetConnections:
            // An open connection would continue.
            try server.stop()
            server.resetsConnections = true
            try server.start()
        case .answer(let make): server.reply = make(tempt)
        case .answers(let rule): server.answer { rule($0, tempt) }
        }
    }

    private static func expect(_ end: FaultRig.End, of fault: FaultCase, from start: Stage, port: UInt16) {
        switch (end, fault.outcome) {
        case (.failure(let error), .error(let texts)):
            let texts = texts.map { $0.replacing("PORT", with: "\(port)").replacing("OTHER", with: "\(port ^ 1)") }
            #expect(
                texts.contains { $0.last == "*" ? error.description.hasPrefix($0.dropLast()) : error.description == $0 },
                "reported: \(error.reason)")
        case (.success(let reply), .believed):
            #expect(reply.document.stage == Temptation(start: start, port: port).stage)
        default:
            Issue.record("\(fault.name): ended as \(end)")
        }
    }

    private static func expect(_ next: NextCheck?, of fault: FaultCase) {
        guard let next else {
            Issue.record("no check is scheduled")
            return
        }
        switch fault.wait {
        case .backoff:
            #expect(next.origin == .backoff)
            #expect(next.wait >= .seconds(1) && next.wait <= .seconds(2))
        case .retryAfter(let range):
            #expect(next.origin == .retryAfter)
            #expect(range.contains(next.wait / .seconds(1)), "\(next.wait)")
        case .server(let seconds):
            #expect(next.origin == .server)
            #expect(next.wait == .seconds(seconds))
        }
    }
}
