import BellerophonBase
import Foundation

/// The original's layout: one folder per resource, with one file per version, named by its number.
enum NumberedFiles {
    /// The versions in a folder, lowest first; empty if the folder does not exist.
    static func versions(in folder: URL) -> [Int64] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name -> Int64? in
            // "007" would be another name for 7.
            guard let version = VersionNumber(digits: name)?.value, String(version) == name else { return nil }
            return FileInspection.regularSize(folder.appendingPathComponent(name)) == nil ? nil : version
        }.sorted()
    }
}

/// Reads the size and the bytes of a file.
enum FileInspection {
    /// The size of a regular file in bytes, following links; nil if there is none.
    static func regularSize(_ url: URL) -> Int64? {
        FileFacts(path: url.path).flatMap { $0.isRegularFile ? Int64($0.st_size) : nil }
    }

    /// The bytes of a file; a file above 256 KiB is memory-mapped.
    static func data(_ url: URL) throws -> Data {
        let isLarge = (regularSize(url) ?? 0) > 256 << 10
        return try Data(contentsOf: url, options: isLarge ? [.alwaysMapped] : [])
    }
}

/// Facts in a small JSON file.
protocol StoredFacts: Codable {
    /// The maximum size of the file in bytes.
    static var sizeLimit: Int { get }
}

extension StoredFacts {
    /// Nil if the file is missing, too large or unreadable.
    static func load(_ url: URL) -> Self? {
        guard let file = try? OpenFile(url.path), file.facts.isRegularFile, file.facts.st_size <= sizeLimit else { return nil }
        return (try? file.start(limit: sizeLimit)).flatMap { try? JSONDecoder().decode(Self.self, from: Data($0)) }
    }

    func save(_ url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try FileCalls.replace(url.path, with: try encoder.encode(self), draft: url.path + ".new", isNameDurable: false)
    }
}
