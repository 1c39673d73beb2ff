import Bellerophon
import Foundation
import TestSupport

/// The server and all that stands between it and the app: what it says is a matter of seeded chance.
@MainActor
final class SoakServer {
    /// A status that was published, in the order of the server's own clock, which is never wrong.
    struct Published {
        let entry: SoakDocuments.Entry
        let date: Date
        let serial: Int
    }

    enum Mood: CaseIterable {
        case healthy, flaky, down, hanging, lagging, chaotic
    }

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

    /// What an exchange that ends brings: of the newest status, of an older one out of some cache, or an error.
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
        var receipt = StatusReceipt(httpStatus: 200, latency: .milliseconds(40), bytes: 80)
        receipt.publishedAt = published.date
        // A server without dates, and one whose date nobody should believe: only of the newest, or nobody could tell.
        if published.serial == newest.serial {
            switch Int.random(in: 0..<20, using: &chance) {
            case 0: receipt.publishedAt = nil
            case 1: receipt.publishedAt = published.date.addingTimeInterval(86_400 * 365 * 50)
            default: break
            }
        }
        return .success(StatusReply(published.entry.document, receipt: receipt))
    }
}
