import BellerophonBase
import BellerophonStore
import Foundation

/// Events that could not be delivered, in a file of the store's folder, a line for each.
package struct UndeliveredEvents: Sendable {
    package struct Entry: Codable, Equatable, Sendable {
        /// The setting that names the target.
        package let target: String
        /// When the last attempt failed.
        package let at: Date
        package let problem: String
        package let event: WebhookEvent
    }

    private let file: URL
    private var lock: String { file.path + ".lock" }

    static let fileName = "hooks-undelivered.jsonl"
    /// Of more entries the oldest are dropped.
    static let limit = 1000
    private static let lockPatience = Duration.seconds(5)

    /// - Parameter folder: the store's folder.
    package init(_ folder: URL) { file = folder.appendingPathComponent(Self.fileName) }

    /// The oldest first. Lines that can't be read are left out.
    package var entries: [Entry] {
        guard let data = FileManager.default.contents(atPath: file.path) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).compactMap { try? StoreJSON.value(Entry.self, from: Data($0)) }
    }

    func add(_ entry: Entry) throws { try change { $0.append(entry) } }

    package func remove(_ delivered: [Entry]) throws { try change { $0.removeAll { delivered.contains($0) } } }

    private func change(_ work: (inout [Entry]) -> Void) throws {
        guard let held = try FileLock.wait(lock, limit: Self.lockPatience) else {
            throw ServerError("\(file.path) is locked by another process", hint: "try again", kind: .temporary)
        }
        try withExtendedLifetime(held) {
            var entries = entries
            work(&entries)
            let lines = try entries.suffix(Self.limit).map { try StoreJSON.data($0) + Data("\n".utf8) }
            try FileCalls.replace(file.path, with: lines.reduce(Data(), +), draft: file.path + ".new")
        }
    }
}
