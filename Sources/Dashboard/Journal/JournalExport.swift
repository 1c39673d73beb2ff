import Foundation

/// Writes a journal to a new file for its owner only; never overwrites a file.
package enum JournalExport {
    /// - Parameters:
    ///   - text: JSON lines.
    ///   - folders: absolute paths, tried in this order.
    ///   - date: the time in the file's name, in UTC: `bellerophon-journal-20260131T140211Z.jsonl`.
    /// - Returns: the file's path.
    /// - Throws: the error of the last folder.
    package static func write(_ text: String, to folders: [String], date: Date) throws(OutputFileError) -> String {
        var failure = OutputFileError(path: "journal", "there is no folder for it")
        for folder in folders {
            do {
                return try write(text, in: folder, date: date)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func write(_ text: String, in folder: String, date: Date) throws(OutputFileError) -> String {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let stem = "bellerophon-journal-\(stamp(date))"
        for number in 1...99 {
            let name = number == 1 ? "\(stem).jsonl" : "\(stem)-\(number).jsonl"
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if try OutputFile.create(path, text) { return path }
        }
        throw OutputFileError(path: "\(folder)/\(stem).jsonl", "there are 99 files of that name already")
    }

    private static func stamp(_ date: Date) -> String {
        JournalRecord.time(date).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
