import BellerophonBase
import Foundation

/// The file with the names of the scenarios and timelines that a tester has marked.
package final class BookmarkFile: Sendable {
    /// The names in the file when the program started.
    package let names: [String]
    private let url: URL

    /// The largest file that is read, in bytes.
    private static let limit = 64 << 10

    /// Reads the file. A file that can't be read counts as empty.
    package init(_ url: URL) {
        self.url = url
        let data = try? InputFile.read(url.path, limit: Self.limit)
        names = data.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
    }

    /// Replaces the names in the file.
    /// - Returns: why they can't be saved; nil on success.
    package func save(_ names: [String]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        do {
            try FileCalls.makeFolder(url.deletingLastPathComponent())
            try FileCalls.replace(url.path, with: try encoder.encode(names), draft: url.path + ".new")
            return nil
        } catch {
            return "\(error)"
        }
    }
}
