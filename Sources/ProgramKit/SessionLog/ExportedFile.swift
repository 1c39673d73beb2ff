import Foundation

/// Something that a person saves to a new file, for its owner only; never overwrites a file.
package enum ExportedFile {
    /// What is saved.
    package enum Kind: String, Sendable {
        /// A journal, as JSON lines.
        case journal
        /// A scenario file.
        case scenario
    }

    /// Saves a text in the working folder, or in the folder of the program's state.
    /// - Returns: the file's name, relative to the working folder if it is there.
    package static func save(_ text: String, _ kind: Kind, date: Date) throws(OutputFileError) -> String {
        let here = FileManager.default.currentDirectoryPath
        let state = ConfigurationFile.stateFolder(ProcessInfo.processInfo.environment).path
        let path = try write(text, kind, to: [here, state], date: date)
        return path.hasPrefix(here + "/") ? String(path.dropFirst(here.utf8.count + 1)) : path
    }

    /// - Parameters:
    ///   - folders: absolute paths, tried in this order.
    ///   - date: the time in the file's name, in UTC: `bellerophon-journal-20260131T140211Z.jsonl`.
    /// - Returns: the file's path.
    /// - Throws: the error of the last folder.
    package static func write(
        _ text: String, _ kind: Kind, to folders: [String], date: Date
    ) throws(OutputFileError) -> String {
        let (stem, suffix) = ("bellerophon-\(kind.rawValue)-\(stamp(date))", kind == .journal ? "jsonl" : "json")
        var failure = OutputFileError(path: kind.rawValue, "there is no folder for it")
        for folder in folders.map({ URL(fileURLWithPath: $0) }) {
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do throws(OutputFileError) {
                for number in 1...99 {
                    let name = number == 1 ? "\(stem).\(suffix)" : "\(stem)-\(number).\(suffix)"
                    let path = folder.appendingPathComponent(name).path
                    if try OutputFile.create(path, text) { return path }
                }
                failure = OutputFileError(path: "\(folder.path)/\(stem).\(suffix)", "there are 99 files of that name already")
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func stamp(_ date: Date) -> String {
        SessionLogRecord.time(date).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
