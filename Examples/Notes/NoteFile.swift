import Foundation

/// Notes in a text file, one per line. Every change is written before the next key is read.
struct NoteFile {
    let url: URL
    private(set) var notes: [String] = []

    /// Reads the file; a file that does not exist has no notes.
    /// - Throws: if the file exists and cannot be read.
    init(url: URL) throws {
        self.url = url
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        notes = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// `notes.txt` in the user's data directory (XDG Base Directory Specification).
    static func defaultURL(environment: [String: String]) -> URL {
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let base = given ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return base.appendingPathComponent("notes/notes.txt")
    }

    /// Inserts or replaces a note.
    mutating func put(_ text: String, at index: Int?) throws {
        let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !line.isEmpty else { return }
        if let index, notes.indices.contains(index) { notes[index] = line } else { notes.append(line) }
        try save()
    }

    mutating func remove(at index: Int) throws {
        guard notes.indices.contains(index) else { return }
        notes.remove(at: index)
        try save()
    }

    /// Writes a new file and renames it over the old one, so that a crash leaves one of them intact.
    private func save() throws {
        let directory = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let text = notes.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: url, options: .atomic)
    }
}
