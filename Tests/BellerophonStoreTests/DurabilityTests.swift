import BellerophonStore
import Foundation
import TestSupport
import Testing

/// A process that publishes continuously is killed at random moments; every acknowledged publication survives.
@Suite("Durability", .serialized)
struct DurabilityTests {
    private struct Acknowledgement: Sendable {
        let id: Int64
        let number: Int
        let resource: (name: String, version: Int64, sha256: String)?

        init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            guard fields.count == 2 || fields.count == 5, let id = Int64(fields[0]), let number = Int(fields[1]) else {
                return nil
            }
            self.id = id
            self.number = number
            resource = fields.count == 5 ? (String(fields[2]), Int64(fields[3]) ?? 0, String(fields[4])) : nil
        }
    }

    @Test func everyAcknowledgedPublicationSurvivesKill() async throws {
        let home = try TestFolder()
        let folder = home.url.appendingPathComponent("store")
        var random = SplitMix64(seed: Seed.of("killed publications", default: 1))
        var acknowledged: [Acknowledgement] = []
        for _ in 1...24 {
            let number = acknowledged.last?.number ?? 0
            let (lines, delay) = (Int.random(in: 1...40, using: &random), UInt32.random(in: 0...4000, using: &random))
            let round = try await onOwnThread { try Self.round(folder, after: number, lines: lines, delay: delay) }
            #expect(round.count >= lines, "each whole line is an acknowledgement")
            acknowledged += round
            try Self.verify(acknowledged.suffix(60), in: Store(folder: folder, creates: true))
        }
        try Self.verify(acknowledged[...], in: Store(folder: folder, creates: true))
    }

    @Test("Every acknowledged publication survives a crash of the machine, which loses what was not synced")
    func survivesCrash() async throws {
        var random = SplitMix64(seed: Seed.of("crashed machines", default: 1))
        for number in 1...4 {
            let home = try TestFolder()
            let folder = home.url.appendingPathComponent("store")
            let disk = try await CrashedDisk()
            // Enough for a checkpoint of the database now and then.
            let lines = Int.random(in: 1...(number == 3 ? 250 : 40), using: &random)
            let delay = UInt32.random(in: 0...4000, using: &random)
            let acknowledged = try await onOwnThread {
                try Self.round(folder, after: 0, lines: lines, delay: delay, disk.environment(folder))
            }
            #expect(acknowledged.count >= lines)
            try disk.crash(folder)
            let store = try Store(folder: folder)
            try Self.verify(acknowledged[...], in: store)
            #expect(try store.verifyChain().problem == nil)
        }
    }

    /// Lets a child publish until it has acknowledged a number of publications, then kills it shortly after.
    /// - Parameter delay: in microseconds, so that the kill hits any part of a publication.
    private static func round(
        _ folder: URL, after number: Int, lines: Int, delay: UInt32, _ environment: [String: String?] = [:]
    ) throws -> [Acknowledgement] {
        // The output goes to a file. Another child of this process could keep the end of a pipe open.
        let home = try TestFolder()
        defer { withExtendedLifetime(home) {} }
        let program = try RunningProgram(
            Products.path("StoreLoad"), [folder.path, String(number)], home: home, environment: environment)
        try program.wait(for: "acknowledgements") { $0.count(where: { $0 == "\n" }) >= lines ? () : nil }
        usleep(delay)
        program.send(SIGKILL)
        _ = try program.waitForEnd()
        let text = program.log.utf8
        // A line that the kill truncated is not an acknowledgement.
        let end = text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
        return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").compactMap { Acknowledgement($0) }
    }

    private static func verify(_ acknowledged: ArraySlice<Acknowledgement>, in store: Store) throws {
        for one in acknowledged {
            let row = try #require(try store.journal(JournalFilter(before: one.id + 1, limit: 1)).first)
            #expect(row.id == one.id)
            #expect(row.reason == String(one.number))
            guard let (name, version, sha256) = one.resource else { continue }
            let resource = try #require(try store.resource(name, version: version))
            #expect(resource.sha256 == sha256)
            let file = try #require(store.file(for: resource))
            #expect(try Data(contentsOf: file) == Data(repeating: UInt8(one.number & 0xFF), count: 20_000 + one.number))
        }
    }
}
