import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BellerophonStore

/// The clocks of one machine. A test sets the wall clock alone.
final class MachineClock: Sendable {
    private let steady = Mutex(Int64(86_400_000))
    private let wall = Mutex(Date(timeIntervalSince1970: 1_764_050_400))

    var clock: StoreClock { clock(boot: "first") }

    func clock(boot: String?) -> StoreClock {
        StoreClock(wall: { [self] in wall.withLock { $0 } }, steady: { [self] in steady.withLock { $0 } }, boot: boot)
    }

    func pass(_ seconds: Int64) {
        steady.withLock { $0 += 1000 * seconds }
        set(by: Double(seconds))
    }

    func set(by seconds: TimeInterval) { wall.withLock { $0.addTimeInterval(seconds) } }
}

/// A store of one machine whose clock is set.
struct ClockTests {
    private let home: TestFolder
    private let machine = MachineClock()
    private let store: Store

    init() throws {
        home = try TestFolder()
        store = try Store(folder: home.url.appendingPathComponent("store"), creates: true, clock: machine.clock)
    }

    private func restarted(boot: String = "first") throws -> Store {
        try Store(folder: store.folder, clock: machine.clock(boot: boot))
    }

    private func isKilled(_ store: Store) throws -> Bool { try store.status(.main)?.isBlocking == true }

    @Test func aClockThatIsAheadForASecondEndsNoKill() async throws {
        let kill = try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        machine.pass(60)
        machine.set(by: 3 * 3600)
        #expect(try await store.writeDue().isEmpty)
        #expect(try isKilled(store))
        #expect(store.clockProblem?.text.contains("set 10800 s ahead") == true)
        machine.pass(1)
        machine.set(by: -3 * 3600)
        #expect(store.clockProblem == nil)
        machine.pass(3538)
        #expect(try await store.writeDue().isEmpty)
        machine.pass(1)
        #expect(try !isKilled(store))
        #expect(try await store.writeDue().map(\.ends) == [kill.id])
    }

    @Test func aStartWhileTheClockIsAheadEndsNoKill() async throws {
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        await store.keepClock()
        machine.pass(60)
        machine.set(by: 3 * 3600)
        let again = try restarted()
        #expect(try await again.writeDue().isEmpty)
        #expect(try isKilled(again))
        #expect(again.clockProblem != nil)
        // Nothing that a process with a wrong clock keeps hides it from the next one.
        await again.keepClock()
        #expect(try restarted().clockProblem != nil)
        machine.set(by: -3 * 3600)
        #expect(again.clockProblem == nil)
    }

    @Test func theMachinesNextRunHasItsOwnMonotonicClock() async throws {
        await store.keepClock()
        machine.pass(60)
        machine.set(by: 3600)
        #expect(try restarted(boot: "second").clockProblem == nil)
    }

    @Test func aRunOfTheMachineHasOneNameForEveryProcess() {
        let file = "9fe224e1-8495-4eb8-9400-89ff4760cb0a\n"
        let digits = "9fe224e184954eb8940089ff4760cb0a"
        #expect(StoreClock.boot(system: file, variable: nil) == digits)
        #expect(StoreClock.boot(system: nil, variable: digits) == digits)
        #expect(StoreClock.boot(system: file, variable: String(repeating: "0", count: 32)) == digits)
        // A value that stays the same over the machine's runs would be worse than none.
        for variable in ["", "%b", "first", String(digits.dropLast())] {
            #expect(StoreClock.boot(system: nil, variable: variable) == nil, "\(variable)")
        }
    }

    @Test("An operator accepts the clock for every process of the store")
    func clockIsAcceptedEverywhere() async throws {
        let kill = try await store.publish(Publication(action: .kill, endsAfter: .seconds(600)), by: "ada")
        await store.keepClock()
        machine.set(by: 3 * 3600)
        let command = try restarted()
        try await command.acceptClock()
        #expect(command.clockProblem == nil)
        #expect(store.clockProblem != nil)
        try store.lookAtKeptClock()
        #expect(store.clockProblem == nil)
        #expect(try await store.writeDue().map(\.ends) == [kill.id])
    }

    @Test func aKillWithoutAnEndNeedsNoClock() async throws {
        machine.set(by: -7200)
        let error = await storeError {
            try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        }
        #expect(error?.kind == .conflict)
        #expect(error?.message.contains("set 7200 s behind") == true)
        #expect(error?.hint?.contains("without an end") == true)
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        #expect(try isKilled(store))
    }

    @Test func anEndThatIsOverAlreadyIsRefused() async throws {
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        machine.set(by: -7200)
        // Nothing was kept of the clock, as on another machine that mounts the folder.
        let late = try restarted(boot: "second")
        let error = await storeError {
            try await late.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        }
        #expect(error?.kind == .conflict)
        #expect(error?.message.contains("is over already") == true)
        #expect(try late.journal().count == 1)
    }

    /// The end was shown, and could not be written.
    @Test("A kill whose end was shown stays ended when the clock is set back")
    func shownEndIsNotTakenBack() async throws {
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(60)), by: "ada")
        machine.pass(61)
        #expect(try !isKilled(store))
        machine.set(by: -3600)
        #expect(try !isKilled(store))
    }
}

#if Postgres
/// Servers with wrong clocks that share a store. The time is that of the database.
@Suite(
    "A shared store: clocks", .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedClockTests {
    private let servers: SharedServers

    init() async throws {
        servers = try await SharedServers()
    }

    /// A server whose wall clock is ahead of the database's.
    private func server(_ name: String, ahead seconds: TimeInterval) throws -> Store {
        let clock = servers.clock
        return try servers.server(
            name,
            clock: StoreClock(
                wall: { clock.now.addingTimeInterval(seconds) }, steady: { clock.now.milliseconds }, database: { _ in clock.now })
        )
    }

    @Test(
        "A server whose clock is not the database's refuses an end, and ends nothing early",
        arguments: [7200, -7200] as [TimeInterval])
    func databaseClockSetsEnd(ahead: TimeInterval) async throws {
        let wrong = try server("wrong", ahead: ahead)
        let timed = Publication(action: .kill, endsAfter: .seconds(300))
        let refusal = await storeError { try await wrong.publish(timed, by: "ada") }
        #expect(refusal?.kind == .conflict && refusal?.hint?.contains("without an end") == true)
        #expect(wrong.clockProblem?.text.contains(ahead > 0 ? "7200 s ahead of the database's" : "7200 s behind") == true)
        let other = try Scope(app: "other")
        #expect(try await wrong.publish(Publication(scope: other, action: .kill), by: "ada").at == servers.clock.now)
        let right = try server("right", ahead: 0)
        #expect(right.clockProblem == nil)
        let kill = try await right.publish(timed, by: "ada")
        #expect(kill.endsAt == servers.clock.now.addingTimeInterval(300))
        try wrong.catchUp()
        servers.clock.advance(by: 299)
        #expect(try await wrong.writeDue().isEmpty)
        #expect(try await right.writeDue().isEmpty)
        servers.clock.advance(by: 1)
        if ahead < 0 { #expect(try await wrong.writeDue().isEmpty) }
        #expect(try await right.writeDue().map(\.ends) == [kill.id])
    }

    /// A cluster of one server must not keep a kill for ever.
    @Test(
        "A lone server with a wrong clock ends a timed kill by the later of the two clocks",
        arguments: [(7200, 699), (-7200, 7800)] as [(TimeInterval, TimeInterval)])
    func loneServerUsesLaterClock(ahead: TimeInterval, end: TimeInterval) async throws {
        let kill = try await server("right", ahead: 0).publish(Publication(action: .kill, endsAfter: .seconds(600)), by: "ada")
        let wrong = try server("wrong", ahead: ahead)
        servers.clock.advance(by: 599)
        #expect(try await wrong.writeDue().isEmpty)
        servers.clock.advance(by: 100)
        #expect(try await wrong.writeDue().isEmpty == (end > 699))
        servers.clock.advance(by: end - 699)
        let rows = try await wrong.writeDue()
        #expect(try wrong.journal().first?.ends == kill.id, "\(rows)")
        #expect(wrong.clockProblem != nil)
    }

    @Test("A jump of the database's clock does not end a kill at once")
    func databaseClockJumpEndsNothing() async throws {
        let clock = servers.clock
        let (steady, set) = (StillClock(), StillClock())
        let start = set.now
        let both = { @Sendable in clock.now.addingTimeInterval(set.now.timeIntervalSince(start)) }
        let store = try servers.server(
            "a", clock: StoreClock(wall: both, steady: { steady.now.milliseconds }, database: { _ in both() }))
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(3600)), by: "ada")
        // The database and the server are on one machine, whose clock is set.
        set.advance(by: 7200)
        #expect(try await store.writeDue().isEmpty)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        #expect(store.clockProblem?.text.contains("the database's clock was set 7200 s ahead") == true)
    }
}
#endif
