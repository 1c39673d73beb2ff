import Foundation

/// The original's layout: a folder per resource, in it a file per version, named by its number.
enum NumberedFiles {
    /// The versions in a folder, lowest first; none where there is no folder.
    static func versions(in folder: URL) -> [Int64] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name -> Int64? in
            // "007" would be a second name for 7.
            guard let version = VersionNumber(digits: name)?.value, String(version) == name else { return nil }
            return FileInspection.regularSize(folder.appendingPathComponent(name)) == nil ? nil : version
        }.sorted()
    }
}

/// What a path holds.
enum FileInspection {
    /// Bytes of a regular file, also behind a link; nil where there is none.
    static func regularSize(_ url: URL) -> Int64? {
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(facts.st_size)
    }

    /// A file's bytes: read where there are few of them, mapped where there are many.
    static func data(_ url: URL) throws -> Data {
        let isLarge = (regularSize(url) ?? 0) > 256 << 10
        return try Data(contentsOf: url, options: isLarge ? [.alwaysMapped] : [])
    }
}
