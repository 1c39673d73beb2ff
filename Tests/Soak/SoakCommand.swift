import Foundation

/// Simulates months on a manual clock and reports the result.
///
/// `Soak DAYS SEED…` prints a line of JSON per seed. On a violation it prints its text, seed and step, and exits with
/// 1. `Soak DAYS SEED@STEP` prints the last events before that step. With `awake` before the seeds the machine never
/// sleeps, which takes thirty times as many steps.
@main
struct SoakCommand {
    @MainActor
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        let days = arguments.popFirst().flatMap { Double($0) } ?? 0
        let isAwake = arguments.first == "awake"
        if isAwake { arguments.removeFirst() }
        guard days > 0, !arguments.isEmpty else {
            print("usage: Soak DAYS [awake] SEED…\n       Soak DAYS [awake] SEED@STEP")
            exit(64)
        }
        for argument in arguments {
            let parts = argument.split(separator: "@")
            guard let seed = parts.first.flatMap({ UInt64($0) }) else {
                print("\(argument) is no seed")
                exit(64)
            }
            run(days: days, isAwake: isAwake, seed: seed, tellsUntil: parts.count > 1 ? Int(parts[1]) : nil)
        }
    }

    @MainActor
    private static func run(days: Double, isAwake: Bool, seed: UInt64, tellsUntil: Int?) {
        do {
            let world = try SoakWorld(seed: seed, isAwake: isAwake)
            defer { if tellsUntil != nil { world.diary.forEach { print($0) } } }
            print(try world.live(days: days, until: tellsUntil).json)
        } catch {
            print(error)
            exit(1)
        }
    }
}
