import Bellerophon
import Foundation
import TestSupport
import Testing

@MainActor
@Suite("Manager: what is known without an answer")
struct ManagerFreshnessTests {
    private static let week = Duration.seconds(7 * 86_400)

    private func restarted(
        _ store: MemoryStore, after span: Duration, _ policy: UnknownPolicy = .stay, bundled: String? = nil
    ) -> AppUnderTest {
        let app = AppUnderTest(
            store: store, freshness: FreshnessPolicy(whenUnknown: policy, maximumAge: Self.week), bundledStatus: bundled
        )
        app.clock.jumpWallClock(by: span)
        app.answers = false
        app.manager.checkAppStatus()
        return app
    }

    private func killed() -> MemoryStore {
        let store = MemoryStore()
        let app = AppUnderTest(store: store)
        app.status = Model(killed: true, message: "Stop.")
        app.manager.checkAppStatus()
        return store
    }

    @Test func aKillStandsOverARestartUntilItsMaximumAge() {
        let store = killed()
        for policy in UnknownPolicy.allCases {
            #expect(restarted(store, after: Self.week - .seconds(1), policy).window.content?.message == "Stop.")
        }
        #expect(restarted(store, after: Self.week, .open).window.shown == nil)
        #expect(restarted(store, after: Self.week, .closed).window.shown == "kill")
        let staying = restarted(store, after: Self.week, .stay)
        #expect(staying.window.content?.message == "Stop.")
        #expect(staying.reports.contains(.stale(age: Self.week, .stay)))
    }

    @Test func aClockSetBackByYearsFreesNothing() {
        let app = restarted(killed(), after: .seconds(-10 * 365 * 86_400), .open)
        #expect(app.window.content?.message == "Stop.")
    }

    @Test("The bundled status applies until the server provides another one")
    func bundledStatusApplies() {
        let bundled = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"Not yet."}"#
        let store = MemoryStore()
        let app = restarted(store, after: .zero, bundled: bundled)
        #expect(app.window.content?.message == "Not yet.")
        app.lastCompletion?(Model(), nil)
        #expect(app.window.shown == nil)
        #expect(restarted(store, after: .seconds(1), bundled: bundled).window.shown == nil, "the server's word is known now")
    }

    @Test func aBundledStatusThatIsNoneIsReported() {
        let app = restarted(MemoryStore(), after: .zero, .closed, bundled: "{}")
        #expect(app.window.shown == "kill", "the policy holds")
        #expect(app.reports.remarks.contains { $0.hasPrefix("the status that ships with the app cannot be used") })
    }

    @Test(arguments: UnknownPolicy.allCases) func aDamagedRecordFallsBackToThePolicy(_ policy: UnknownPolicy) throws {
        let folder = try TestFolder()
        let path = try folder.write("{\"isInactive\":true}\nfnv1a 0\n", to: "status.json")
        let app = AppUnderTest(
            store: FileStatusStore(url: URL(fileURLWithPath: path)), freshness: FreshnessPolicy(whenUnknown: policy)
        )
        app.answers = false
        app.manager.checkAppStatus()
        #expect(app.window.shown == (policy == .closed ? "kill" : nil))
        #expect(app.reports.remarks.contains { $0.contains("its checksum does not fit") })
    }

    /// Over several runs: a date of the year 2286 is stored, and a status that is accepted despite that date replaces
    /// it in the store.
    @Test func aMadeUpDateIsForgottenOnceTheServersCount() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("status.json"))
        func run(_ stage: Stage?, _ date: Date, after wait: Duration = .zero, lasting: Duration = .zero) -> String? {
            let app = AppUnderTest(store: store)
            app.answers = false
            app.clock.jumpWallClock(by: wait)
            app.manager.checkAppStatus()
            app.clock.advance(by: lasting)
            app.manager.checkAppStatus()
            if let stage {
                app.lastCompletion?(StatusReply(.to(stage), metadata: ExchangeMetadata(httpStatus: 200, publishedAt: date)), nil)
            } else {
                app.lastCompletion?(nil, StatusError(.noStatus))
            }
            app.manager.suspend()
            return app.window.shown
        }
        let sane = ManualClock().date.addingTimeInterval(-3600)
        #expect(run(.killed, Date(timeIntervalSince1970: 9_999_999_999)) == "kill")
        #expect(run(.active, sane, after: .seconds(60)) == "kill")
        #expect(run(.active, sane, after: .seconds(1200)) == "kill", "time between two runs does not count")
        #expect(run(.active, sane, after: .seconds(60), lasting: .seconds(119)) == "kill")
        #expect(run(.active, sane, after: .seconds(60), lasting: .seconds(120)) == nil)
        #expect(run(nil, sane, after: .seconds(121)) == nil, "the kill is not on the disk any longer")
        #expect(run(.killed, sane + 1, after: .seconds(122)) == "kill")
        #expect(run(.active, sane, after: .seconds(600)) == "kill", "the server's dates order over a restart")
    }
}
