import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

/// What a process has that follows the journal, beside one that reads it anew.
@Suite struct CatalogTests {
    @Test("A process that follows the journal, whoever writes it, has what one has that reads it anew")
    func followsTheJournal() async throws {
        let seed = Seed.of("catalog", default: 45)
        var random = SplitMix64(seed: seed)
        let test = try await StoreUnderTest()
        let other = try test.reopenedHere()
        var tokens: [String] = []
        for step in 0..<80 {
            let writer = Bool.random(using: &random) ? test.store : other
            let scope = try Scope(
                app: ["a", "b", "default"].randomElement(using: &random)!, channel: ["main", "x"].randomElement(using: &random)!)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                _ = try? await writer.publish(Publication(scope: scope, action: .kill, endsAfter: .seconds(30)), by: "ada")
            case 3: _ = try await writer.publish(Publication(scope: scope, action: .kill), by: "ada")
            case 4: _ = try await writer.publish(Publication(scope: scope, action: .restore), by: "ada")
            case 5:
                tokens.append("t\(step)")
                _ = try await writer.createToken(TokenRequest(name: "t\(step)", scopes: [.publish]), by: "ada")
            case 6:
                guard let name = tokens.popLast() else { continue }
                _ = try await writer.revokeToken(name: name, by: "ada")
            case 7: try await test.put(["help", "news"].randomElement(using: &random)!, "text \(step)")
            case 8: _ = try? await writer.deleteResource("news", by: "ada")
            default: test.clock.advance(by: 20)
            }
            if Int.random(in: 0..<3, using: &random) == 0 { _ = try await writer.writeDue() }
            let (known, anew) = (try test.store.snapshot(), try test.reopenedHere().snapshot())
            try #require(known.statuses == anew.statuses, "seed \(seed), step \(step)")
            try #require(known.resources == anew.resources && known.tokens == anew.tokens, "seed \(seed), step \(step)")
            try #require(known.serial == anew.serial && known.nextChange == anew.nextChange, "seed \(seed), step \(step)")
            try #require(try known.status(for: scope) == test.store.status(scope), "seed \(seed), step \(step): one scope alone")
        }
    }
}

extension PublishedStatus: Equatable {
    package static func == (one: PublishedStatus, other: PublishedStatus) -> Bool {
        one.scope == other.scope && one.etag == other.etag && one.publishedAt == other.publishedAt && one.body == other.body
            && one.endsAt == other.endsAt
            && one.nextChange == other.nextChange && one.entry == other.entry && one.newest == other.newest
    }
}
