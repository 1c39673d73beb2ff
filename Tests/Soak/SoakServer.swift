import Bellerophon
import Foundation
import TestSupport

/// The server and the network between it and the app. Its replies follow from a seed.
@MainActor
final class SoakServer {
    /// A published status, ordered by the server's clock, which is always right.
    struct Published {
        let entry: SoakDocuments.Entry
        let date: Date
        let serial: Int
    }

    enum Mood: CaseIterable {
        case healthy, flaky, down, hanging, lagging, chaotic
    }

    /// How far an invented date lies in the future, in seconds.
    static let madeUpLead = 86_400.0 * 365 * 50

    var mood = Mood.healthy
    private let documents: SoakDocuments
    private(set) var published: [Published] = []

    init(at date: Date, using chance: inout SplitMix64) {
        documents = SoakDocuments(using: &chance)
        publish(at: date, using: &chance)
    }

    var newest: Published { published[published.count - 1] }

    func publish(at date: Date, using chance: inout SplitMix64) {
        guard let entry = documents.entries.randomElement(using: &chance) else { return }
        published.append(Published(entry: entry, date: date, serial: (published.last?.serial ?? 0) + 1))
        if published.count > 20 { published.removeFirst() }
    }

    /// The result of an exchange: the newest status, an older one from a cache, or an error.
    func answer(using chance: inout SplitMix64) -> Result<StatusReply, StatusError> {
        let luck = Int.random(in: 0..<100, using: &chance)
        switch mood {
        case .healthy: return luck < 98 ? reply(newest, using: &chance) : .failure(SoakErrors.random(using: &chance))
        case .flaky, .chaotic: return luck < 50 ? reply(newest, using: &chance) : .failure(SoakErrors.random(using: &chance))
        case .down, .hanging: return .failure(SoakErrors.random(using: &chance))
        case .lagging:
            let known = published.randomElement(using: &chance) ?? newest
            return luck < 90 ? reply(known, using: &chance) : .failure(SoakErrors.random(using: &chance))
        }
    }

    private func reply(_ published: Published, using chance: inout SplitMix64) -> Result<StatusReply, StatusError> {
        var metadata = ExchangeMetadata(httpStatus: 200, latency: .milliseconds(40), bytes: 80)
        metadata.publishedAt = published.date
        // A missing, unreadable or far future date. Only the newest status gets a future date: on an older status no
        // client could detect it.
        switch Int.random(in: 0..<40, using: &chance) {
        case 0: metadata.published = .absent
        case 1: metadata.published = .unreadable
        case 2, 3:
            if published.serial == newest.serial { metadata.publishedAt = published.date.addingTimeInterval(Self.madeUpLead) }
        default: break
        }
        return .success(StatusReply(published.entry.document, metadata: metadata))
    }
}
