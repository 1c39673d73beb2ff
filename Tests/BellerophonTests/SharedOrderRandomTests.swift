import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

/// Two instances of an app that share a state file, with wrong clocks, restarts, and caches with older statuses.
@MainActor
@Suite("Order of publication: instances that share a state file")
struct SharedOrderRandomTests {
    /// The merge of ``FileStatusStore`` without a disk.
    final class SharedRecord: StatusStore {
        private let record = Mutex<StatusRecord?>(nil)

        func load() -> StatusRecord? { record.withLock { $0 } }

        func save(_ new: StatusRecord) {
            record.withLock { present in present = new.merged(over: present) ?? present }
        }
    }

    /// One run of the app, whose server never replies: the tests deliver its statuses. Its clock is wrong by a number of seconds.
    @MainActor final class Instance {
        let clock: ManualClock
        let manager: BellerophonManager

        init(_ store: any StatusStore, at date: Date) {
            clock = ManualClock(date: date)
            // Without a window nothing is drawn in each second of a day.
            var config = BellerophonConfig(window: nil, source: ClosureSource())
            config.store = store
            manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
            manager.core.enter { manager.core.restore() }
        }

        var stage: Stage { manager.machine.stage }

        /// - Parameter published: true seconds since the start; nil for a status without a date.
        func hear(_ stage: Stage, _ published: Double?) {
            var metadata = ExchangeMetadata(httpStatus: 200)
            metadata.published = published.map { .at(World.date($0)) } ?? .absent
            let reply = StatusReply(.to(stage), metadata: metadata).received(on: clock.date)
            manager.core.enter { manager.core.send(.pushed(reply)) }
        }
    }

    /// The server, the shared file and two instances, for less than a day.
    @MainActor final class World {
        let store = SharedRecord()
        var chance: SplitMix64
        var seconds = 0.0
        var offsets = [0.0, 0.0]
        var instances: [Instance] = []
        /// What the server has published, with increasing dates.
        var published: [(stage: Stage, date: Double)] = [(.active, -3600)]

        init(seed: UInt64) {
            chance = SplitMix64(seed: seed)
            instances = [newInstance(0), newInstance(1)]
        }

        nonisolated static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_768_485_000 + seconds) }

        func newInstance(_ index: Int) -> Instance { Instance(store, at: Self.date(seconds + offsets[index])) }

        func wait(_ span: Double) {
            seconds += span
            for instance in instances { instance.clock.advance(by: .seconds(span)) }
        }

        func setClock(of index: Int, to offset: Double) {
            instances[index].clock.jumpWallClock(by: .seconds(offset - offsets[index]))
            offsets[index] = offset
        }
    }

    private static let year = 365.0 * 86_400
    private static let offsets: [Double] = [0, -10 * year, -2 * 86_400, 2 * 86_400, 10 * year]

    @Test(
        "In random runs only a newer clear lifts a kill in a store shared by two instances",
        arguments: Seed.range("shared order", default: 0..<3))
    func sharedOrderHoldsInRandomRuns(seed: UInt64) throws {
        let world = World(seed: seed)
        /// The newest date that each instance has heard.
        var heard = [-Double.infinity, -.infinity]
        var kinds: Set<Int> = []
        for step in 0..<80 {
            world.wait(.random(in: 1...300, using: &world.chance))
            let index = Int.random(in: 0...1, using: &world.chance)
            let (instance, kept) = (world.instances[index], world.store.load())
            let kind = Int.random(in: 0..<6, using: &world.chance)
            switch kind {
            case 0:
                world.published.append((Bool.random(using: &world.chance) ? .killed : .active, world.seconds))
            case 1:
                let newest = try #require(world.published.last)
                instance.hear(newest.stage, newest.date)
                heard[index] = newest.date
                #expect(instance.stage == newest.stage, "seed \(seed), step \(step): the newest status counts at once")
            case 2, 3:
                // Only over a kill an older clear matters.
                if instance.stage != .killed {
                    world.published.append((.killed, world.seconds))
                    instance.hear(.killed, world.seconds)
                    heard[index] = world.seconds
                }
                // A cache has an older clear, or one without a date.
                let clears = world.published.filter { $0.stage == .active && $0.date < heard[index] }
                guard let old = clears.randomElement(using: &world.chance) else { continue }
                instance.hear(.active, kind == 2 ? old.date : nil)
                #expect(instance.stage == .killed, "seed \(seed), step \(step): an older clear lifts nothing")
            case 4:
                world.setClock(of: index, to: Self.offsets.randomElement(using: &world.chance) ?? 0)
            default:
                world.instances[index] = world.newInstance(index)
                heard[index] = kept?.publishedAt.map { $0.timeIntervalSince(World.date(0)) } ?? -.infinity
                #expect(world.instances[index].stage.isBlocked == (kept?.isInactive == true), "seed \(seed), step \(step)")
            }
            expectOrder(of: world.store.load(), after: kept, "seed \(seed), step \(step)")
            kinds.insert(kind)
        }
        #expect(kinds.count == 6)
    }

    /// What is kept never steps back.
    private func expectOrder(of record: StatusRecord?, after kept: StatusRecord?, _ comment: Comment) {
        guard let kept, let date = kept.publishedAt else { return }
        #expect((record?.publishedAt ?? .distantPast) >= date, comment)
        guard kept.isInactive, record?.isInactive != true else { return }
        #expect((record?.publishedAt ?? .distantPast) > date, comment)
    }

    /// The measured case: the second instance started before the kill, and hears a clear without a date through a cache.
    @Test("A clear without a date does not replace another instance's dated kill in the store")
    func undatedClearKeepsStoredKill() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("status.json"))
        let (first, second) = (Instance(store, at: World.date(0)), Instance(store, at: World.date(0)))
        first.hear(.killed, 100)
        second.hear(.active, nil)
        #expect(second.stage == .active, "it has not heard of the kill")
        #expect(try store.load()?.isInactive == true)
        #expect(Instance(store, at: World.date(300)).stage == .killed)
        second.hear(.active, 50)
        #expect(Instance(store, at: World.date(300)).stage == .killed, "a dated one that is older does neither")
        second.hear(.active, 101)
        #expect(try store.load()?.isInactive == false)
    }
}
