import Bellerophon
import Foundation
import TestSupport
import Testing

/// What the machine does when the app changes while it runs, or when a simulation replaces its clock.
@Suite struct ChangedAppTests {
    private static func document(_ rules: String, update: Bool = false, required: String? = nil) throws -> StatusDocument {
        let version = required.map { #","requiredVersion":"\#($0)""# } ?? ""
        let json = #"{"apiInactive":false,"forceUpdate":\#(update),"retryInterval":60\#(version),"rules":\#(rules)}"#
        return try StatusDocument(json: Data(json.utf8))
    }

    private static let minimum = #"[{"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]}}]"#
    private static let window = #"[{"id":"mw","effect":"pause","from":"2026-12-05T22:00:00Z","until":"2026-12-05T23:30:00Z"}]"#

    /// A machine whose last reply had this document and this date.
    private func machine(_ document: StatusDocument, date: String? = nil, version: String? = nil) throws -> MachineUnderTest {
        var test = MachineUnderTest()
        test.send(.factsChanged(AppFacts(version: version)))
        test.send(.checkRequested(.start))
        var metadata = ExchangeMetadata(httpStatus: 200)
        metadata.serverDate = try date.map { try Date($0, strategy: .iso8601) }
        test.send(.replied(test.checkID, StatusReply(document, metadata: metadata)))
        test.forget()
        return test
    }

    @Test("An update of the app lifts a minimum version without a reply of the server")
    func anUpdateCountsAtOnce() throws {
        var test = try machine(try Self.document(Self.minimum), version: "1.4.0")
        #expect(test.machine.stage == .updateRequired)
        let next = test.machine.nextCheck
        test.send(.factsChanged(AppFacts(version: "1.5.2")))
        #expect(test.machine.stage == .active)
        #expect(test.transitions.map(\.cause) == [.facts])
        #expect(test.machine.app.version == "1.5.2")
        #expect(test.machine.nextCheck == next, "the server is asked when it was to be asked")
        #expect(test.actions.contains { if case .remember = $0 { true } else { false } }, "a restart knows it too")
        // And back: somebody has installed the old version again.
        test.send(.factsChanged(AppFacts(version: "1.4.0")))
        #expect(test.machine.stage == .updateRequired)
    }

    @Test func theMinimumOfTheFourFieldsFollowsTheAppToo() throws {
        var test = try machine(try Self.document("[]", update: true, required: "1.5.2"))
        #expect(test.machine.stage == .updateRequired)
        test.send(.factsChanged(AppFacts(version: "1.5.2")))
        #expect(test.machine.stage == .active)
    }

    @Test func factsThatDecideNothingCauseNothing() throws {
        var test = try machine(try Self.document(Self.minimum), version: "1.6.0")
        test.send(.factsChanged(AppFacts(version: "1.6.0")))
        #expect(test.actions == [])
        test.send(.factsChanged(AppFacts(version: "1.6.0", values: ["os": "linux"])))
        #expect(test.transitions == [])
        #expect(test.machine.stage == .active)
    }

    @Test("Facts that change before a status is known count for the first status")
    func factsAreKnownEarly() throws {
        var test = MachineUnderTest()
        test.send(.factsChanged(AppFacts(version: "1.4.0")))
        #expect(test.machine.stage == .unknown && test.actions == [])
        test.answer(try Self.document(Self.minimum))
        #expect(test.machine.stage == .updateRequired)
    }

    @Test("With a replaced clock no rule has begun by time until a reply has told the time")
    func aReplacedClockIsUnknown() throws {
        var test = try machine(try Self.document(Self.window), date: "2026-12-05T22:10:00Z")
        #expect(test.machine.stage == .killed)
        test.send(.clockReplaced)
        #expect(test.machine.planDate(at: test.now) == nil)
        #expect(test.machine.stage == .active)
        test.send(.checkRequested(.person))
        var metadata = ExchangeMetadata(httpStatus: 200)
        metadata.serverDate = try Date("2026-12-05T21:00:00Z", strategy: .iso8601)
        test.send(.replied(test.checkID, StatusReply(try Self.document(Self.window), metadata: metadata)))
        #expect(test.machine.planDate(at: test.now) == metadata.serverDate, "earlier than what the former clock has shown")
        #expect(test.machine.stage == .active)
    }
}

/// The same through a manager.
@MainActor
@Suite struct ChangedAppManagerTests {
    @Test func theViewShowsTheNewVersion() throws {
        let rules = #"[{"id":"min","effect":"update","only":{"versions":[{"below":"1.5.2"}]}}]"#
        var config = BellerophonConfig(window: nil, source: ClosureSource.fixed(try .rules(rules)))
        config.app = AppInfo(name: "notes", version: "1.3.0")
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        manager.checkAppStatus()
        #expect(manager.machine.stage == .updateRequired)
        manager.change(to: AppFacts(version: "1.4.0"))
        #expect(manager.machine.stage == .updateRequired)
        #expect(manager.overlayContent().app.version == "1.4.0")
        manager.change(to: AppFacts(version: "1.6.0"))
        #expect(manager.machine.stage == .active)
    }

    private static let snap = #"[{"id":"snap","effect":"pause","only":{"is":{"source":["snap"]}}}]"#
    private static let notSnap = #"[{"id":"others","effect":"pause","except":[{"is":{"source":["snap"]}}]}]"#

    @Test("The source of the app is looked for when a rule asks for it, and the rule waits for it")
    func theSourceIsFoundLater() throws {
        for (rules, covered) in [(Self.snap, "snap"), (Self.notSnap, "apt"), ("[]", nil)] {
            for source in ["snap", "apt"] {
                let clock = SlowWorkClock()
                var config = BellerophonConfig(window: nil, source: ClosureSource.fixed(try .rules(rules)))
                config.findSource = { source }
                let manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
                manager.checkAppStatus()
                #expect(manager.machine.stage == .active, "nothing begins while it is not known")
                #expect(clock.heldCount == (covered == nil ? 0 : 1))
                clock.performHeld()
                #expect(manager.machine.stage == (source == covered ? .killed : .active))
                manager.change(to: AppFacts(version: "1.5.0"))
                #expect(manager.machine.stage == (source == covered ? .killed : .active), "it is not forgotten")
                #expect(clock.heldCount == 0)
            }
        }
    }

    @Test("A kept cover of a rule that asks for the source stands from the start on")
    func aKeptRuleKnowsTheSource() throws {
        let store = MemoryStore()
        store.save(StatusRecord(try .rules(Self.snap), since: Date(), appVersion: nil))
        var config = BellerophonConfig(window: nil, source: ClosureSource())
        config.store = store
        config.findSource = { "snap" }
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        manager.checkAppStatus()
        #expect(manager.machine.stage == .killed)
    }

    @Test("Time that the machine has slept begins a phase as soon as somebody looks")
    func sleepIsLookedAt() throws {
        let clock = ManualClock()
        let from = clock.date + 3600
        let text = from.formatted(.iso8601)
        let document = try StatusDocument.rules(#"[{"id":"mw","effect":"pause","from":"\#(text)"}]"#)
        let config = BellerophonConfig(window: nil, source: ClosureSource.fixed(document, date: { [date = clock.date] in date }))
        let manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
        manager.lookAtSleep()
        manager.checkAppStatus()
        #expect(manager.machine.stage == .active)
        clock.sleepMachine(for: .seconds(3601))
        manager.lookAtSleep()
        #expect(manager.machine.stage == .killed)
    }

    @Test("Only a simulation can replace the clock of a manager")
    func aRealClockIsNotReplaced() throws {
        for isSimulated in [false, true] {
            let clock = ManualClock()
            let from = clock.date - 60
            let document = try StatusDocument.rules(#"[{"id":"mw","effect":"pause","from":"\#(from.formatted(.iso8601))"}]"#)
            var config = BellerophonConfig(
                window: nil, source: ClosureSource.fixed(document, date: { [date = clock.date] in date }))
            config.isSimulated = isSimulated
            let manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
            manager.checkAppStatus()
            #expect(manager.machine.stage == .killed)
            manager.replaceClock()
            #expect(manager.machine.stage == (isSimulated ? .active : .killed))
        }
    }
}
