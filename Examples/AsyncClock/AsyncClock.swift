import BellerophonCurses
import CNcurses
import Foundation

/// A program with an `async` main: a ticking clock, a key loop, and a list of the kill switch's events.
@main
@MainActor
enum AsyncClock {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            print("usage: AsyncClock STATUS-URL")
            exit(64)
        }
        do {
            exit(try await run(CommandLine.arguments[1]))
        } catch {
            print("AsyncClock: \(error)")
            exit(64)
        }
    }

    /// Runs the program and returns its exit status.
    private static func run(_ address: String) async throws -> Int32 {
        let url = try KillSwitch.statusURL(address)
        try CursesTerminal.check()
        initscr()
        cbreak()
        noecho()
        let killSwitch = try KillSwitch.start(statusURL: url)
        let program = Program()
        // Before the first suspension: a status may arrive as soon as the main actor is free.
        let changes = killSwitch.manager.stages
        program.draw()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await program.readKeys(killSwitch) }
            group.addTask { await program.tick() }
            group.addTask { await program.list(changes) }
            // The key loop ends when the person quits; the other tasks are then cancelled.
            await group.next()
            group.cancelAll()
        }
        let outcome = killSwitch.close()
        let status = try? await killSwitch.manager.config.source?.status()
        let verdict = status?.document.verdict(for: AppFacts(), at: status?.metadata?.serverDate ?? .now)
        print("The status was \(verdict.map { "\($0.stage)" } ?? "unreachable") at the end.")
        return outcome.exitStatus
    }
}

/// The state that the tasks share.
@MainActor
private final class Program {
    private var seconds = 0
    private var lastKey = "none"
    private var count = 0
    private var changes: [String] = []

    func readKeys(_ killSwitch: KillSwitch) async {
        for await event in killSwitch.window.events {
            guard case .key(let key) = event, key != .character("q") else { return }
            lastKey = "\(key)"
            count += 1
            draw()
        }
    }

    func tick() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            seconds += 1
            draw()
        }
    }

    func list(_ transitions: AsyncStream<Transition>) async {
        for await change in transitions {
            changes.append("\(change.from) -> \(change.to)")
            draw()
        }
    }

    func draw() {
        erase()
        let lines = ["up for \(seconds) s; q quits", "key \(count): \(lastKey)"] + changes.suffix(10)
        for (row, line) in lines.enumerated() { cncurses_put_text(cncurses_stdscr(), Int32(row), 0, line, 0) }
        refresh()
    }
}
