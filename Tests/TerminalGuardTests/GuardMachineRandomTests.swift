import TerminalUI
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Guard machine: random sequences")
struct GuardMachineRandomTests {
    private static let seeds = Seed.range("guard machine", default: 0..<300)

    /// What holds after every event is in ``GuardWorld``.
    @Test("In random event sequences each key reaches the program once, and an unblocked program runs")
    func keysArriveOnceInRandomRuns() {
        var survivors = 0
        for seed in Self.seeds {
            var world = GuardWorld(seed: seed)
            for _ in 0..<200 where world.faults.isEmpty { world.step() }
            #expect(world.faults == [], "seed \(seed): \(world.story)")
            #expect(String(decoding: world.test.typed, as: UTF8.self) == world.meant, "seed \(seed): \(world.story)")
            world.settle()
            if world.hasFinished { continue }
            survivors += 1
            let state = GuardNotation.text(world.machine)
            #expect(state == "shown running", "seed \(seed): \(world.story)")
            #expect(world.process == .running, "seed \(seed): \(world.story)")
            world.type("last")
            #expect(String(decoding: world.test.typed, as: UTF8.self) == world.meant, "seed \(seed): \(world.story)")
        }
        #expect(survivors > 50)
    }

    @Test("In random event sequences a program's exit ends the guard and its last output is shown")
    func exitEndsGuardInRandomRuns() {
        var compared = 0
        for (number, seed) in Self.seeds.prefix(100).enumerated() {
            var world = GuardWorld(seed: seed)
            for _ in 0..<number * 2 { world.step() }
            world.settle()
            world.end()
            let hasFinished = world.hasFinished
            #expect(hasFinished, "seed \(seed): \(GuardNotation.text(world.machine))")
            switch world.test.end {
            case .program, .key: break
            default: continue
            }
            compared += 1
            #expect(world.faults == [], "seed \(seed): \(world.story)")
            #expect(world.test.terminal.lines == world.direct.lines, "seed \(seed): \(world.story)")
        }
        #expect(compared > 25)
    }

    /// Events in an order that no relay has.
    @Test func noOrderOfEventsBreaksARule() {
        let sizes = [
            Size(columns: 1, rows: 1), Size(columns: 20, rows: 4), Size(columns: 300, rows: 2), Size(columns: 0, rows: 0),
        ]
        let texts = [
            "x", "\u{1B}", "\u{1B}[", "\u{1B}[1;", "5R", "\u{1B}[?1049;0$y", "\u{1B}]1", "\u{1B}[c", "\u{1B}[200~", "\u{1B}P",
            "\u{9C}", "\u{1B}[?1049h", "\u{1B}[6n",
        ]
        for seed in Self.seeds.prefix(150) {
            var chance = SplitMix64(seed: seed)
            var test = GuardUnderTest(alternateScreen: seed % 5 == 0 ? .none : .askable)
            test.send(.begun(isForeground: seed % 7 != 0))
            for _ in 0..<200 {
                switch Int.random(in: 0..<6, using: &chance) {
                case 0: test.output(texts.randomElement(using: &chance) ?? "")
                case 1: test.type(texts.randomElement(using: &chance) ?? "")
                case 2: test.send(.resized(sizes.randomElement(using: &chance) ?? GuardUnderTest.size))
                default: if let event = GuardEvents.all.randomElement(using: &chance)?.event { test.send(event) }
                }
            }
            #expect(test.faults == [], "seed \(seed)")
        }
    }
}
