import BellerophonStore
import Foundation

/// Publishes into a store until it is killed, and acknowledges each row on standard output: `ID NUMBER`, or
/// `ID NUMBER NAME VERSION SHA256` for a resource.
@main
struct StoreLoad {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let first = Int(CommandLine.arguments[2]) else { exit(64) }
        let store = try Store(folder: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true), creates: true)
        var number = first
        while true {
            number += 1
            let line = number % 7 == 0 ? try await resource(number, store) : try await status(number, store)
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
    }

    private static func status(_ number: Int, _ store: Store) async throws -> String {
        let kill = Publication(action: .kill, message: "number \(number)", reason: "\(number)")
        let entry = try await store.publish(kill, by: "load")
        return "\(entry.id) \(number)"
    }

    private static func resource(_ number: Int, _ store: Store) async throws -> String {
        let incoming = try store.receive()
        try incoming.write(Data(repeating: UInt8(number & 0xFF), count: 20_000 + number))
        let put = try await store.putResource("load.bin", .content(incoming), by: "load", reason: "\(number)").resource
        let id = try store.journal(JournalFilter(resource: "load.bin", limit: 1)).first?.id ?? 0
        return "\(id) \(number) \(put.name) \(put.version) \(put.sha256 ?? "")"
    }
}
