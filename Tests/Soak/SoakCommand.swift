import Foundation

/// Lives months on a driven clock and says how it went.
///
/// `Soak DAYS SEED…` prints a line of JSON per seed, or what was violated with seed and step, and then ends with 1.
/// `Soak DAYS SEED@STEP` tells of the last things that happened before that step. With `awake` before the seeds the
/// machine never sleeps: thirty times as many steps.
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
