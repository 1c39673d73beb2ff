import Foundation
import TestSupport

/// Requests cut or mutated replies from a hostile server, over real sockets, and prints the results.
///
/// `ReplyProbe (sound|cuts|mutations) (poll|stream|sync) (active|killed) [--seed N] [--count N] [--from N] [--every N]`
///
/// Every reply states the known status, so no reply may change anything: `violation:` lines name those that did. The
/// last lines are figures: `done:`, `believed:`, `longest:` (the longest time beyond the deadline, in milliseconds). A
/// process that a reply crashes prints none of them, and the preceding line `case:` names the replies in progress.
@main
struct ReplyProbe {
    static func main() async throws {
        guard let options = ProbeOptions(Array(CommandLine.arguments.dropFirst())) else {
            print(
                "usage: ReplyProbe (sound|cuts|mutations) (poll|stream|sync) (active|killed) [--seed N] [--count N] [--from N] [--every N]"
            )
            exit(64)
        }
        let run = try ReplyRun(options)
        await run.perform()
        exit(0)
    }
}

struct ProbeOptions: Sendable {
    enum Kind: String, Sendable { case sound, cuts, mutations }
    enum Client: String, Sendable { case poll, stream, sync }

    let kind: Kind
    let client: Client
    /// Whether the known status, which every reply states, is a kill.
    let isKilled: Bool
    var seed: UInt64 = 1
    var count = Int.max
    var from = 0
    /// Of the cuts, only each one with this distance is made.
    var every = 1

    init?(_ arguments: [String]) {
        guard arguments.count >= 3, let kind = Kind(rawValue: arguments[0]), let client = Client(rawValue: arguments[1]),
            arguments[2] == "killed" || arguments[2] == "active"
        else { return nil }
        (self.kind, self.client, isKilled) = (kind, client, arguments[2] == "killed")
        var rest = arguments.dropFirst(3)
        while let word = rest.popFirst() {
            guard let value = rest.popFirst().flatMap(UInt64.init) else { return nil }
            switch word {
            case "--seed": seed = value
            case "--count": count = Int(value)
            case "--from": from = Int(value)
            case "--every": every = max(1, Int(value))
            default: return nil
            }
        }
    }

    /// The stage of the known status.
    var stage: String { isKilled ? "killed" : "active" }
}
