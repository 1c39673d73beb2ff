import TestSupport
import Testing

@testable import Bellerophon

@Suite("Decisions for a program without a screen")
struct LineMachineTests {
    /// An event of a machine.
    enum Event: CaseIterable, Sendable {
        case checked, runs, blocks, recent, startTimedOut, startCancelled, bodyEnded, saved, graceEnded
    }

    private func send(_ event: Event, to machine: inout LineMachine) -> LineMachine.Action? {
        switch event {
        case .checked:
            machine.checked()
            return nil
        case .runs: return machine.turnEnded(isBlocked: false, isRecent: false)
        case .blocks: return machine.turnEnded(isBlocked: true, isRecent: false)
        case .recent: return machine.turnEnded(isBlocked: false, isRecent: true)
        case .startTimedOut: return machine.startTimedOut(isBlocked: false)
        case .startCancelled: return machine.startCancelled()
        case .bodyEnded: return machine.bodyEnded()
        case .saved: return machine.saved()
        case .graceEnded: return machine.graceEnded()
        }
    }

    @Test(
        "The decisions follow from the events",
        arguments: [
            ([.runs], []), ([.blocks], []), ([.recent], [.start]), ([.startTimedOut], [.start]),
            ([.checked, .runs], [.start]), ([.checked, .blocks], [.refuse]), ([.blocks, .startCancelled], [.abandon]),
            ([.recent, .startTimedOut, .startCancelled], [.start]), ([.recent, .bodyEnded, .blocks], [.start, .giveResult]),
            ([.recent, .blocks, .bodyEnded, .saved], [.start, .kill, .end]),
            ([.recent, .blocks, .saved, .bodyEnded], [.start, .kill, .stopBody, .end]),
            ([.recent, .blocks, .runs, .graceEnded, .saved, .bodyEnded], [.start, .kill, .end]),
            ([.recent, .blocks, .bodyEnded, .graceEnded], [.start, .kill, .end]),
        ] as [([Event], [LineMachine.Action])])
    func decisions(events: [Event], actions: [LineMachine.Action]) {
        var machine = LineMachine()
        #expect(events.compactMap { send($0, to: &machine) } == actions)
    }

    @Test("Whatever the order of events, a body starts at most once and either gives its result or is ended once")
    func randomOrders() {
        var generator = SplitMix64(seed: Seed.of("line machine", default: 75))
        for _ in 0..<2000 {
            var machine = LineMachine()
            let events = (0..<30).map { _ in Event.allCases.randomElement(using: &generator) ?? .runs }
            let actions = events.compactMap { send($0, to: &machine) }
            let ends = actions.filter { [.refuse, .abandon, .end, .giveResult].contains($0) }
            #expect(ends.count <= 1, "\(events)")
            #expect(ends.isEmpty || actions.last == ends.first, "\(events)")
            #expect(actions.count { $0 == .kill } <= 1, "\(events)")
            #expect(actions.first.map { [.start, .refuse, .abandon].contains($0) } ?? true, "\(events)")
        }
    }
}
