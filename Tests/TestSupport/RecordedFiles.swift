internal import Bellerophon
import Synchronization

/// A layout of files as a value, for what is found out about installed programs.
package struct RecordedFiles: InstallFiles, ExpressibleByDictionaryLiteral {
    package enum Entry: Sendable {
        case file(String)
        case link(String)
        /// A folder whose names, and whose files, this user may not read.
        case closedFolder
    }

    /// The paths that were read, in order.
    private final class Log: Sendable {
        let paths = Mutex<[String]>([])
    }

    private var entries: [String: Entry]
    private let log = Log()

    package init(dictionaryLiteral elements: (String, Entry)...) {
        entries = Dictionary(elements) { first, _ in first }
    }

    /// The files and folders whose content was read so far.
    package var reads: [String] { log.paths.withLock { $0 } }

    /// Both layouts together; an entry of the other one counts.
    package func adding(_ other: RecordedFiles) -> RecordedFiles {
        var result = self
        result.entries.merge(other.entries) { _, new in new }
        return result
    }

    package func realPath(_ path: String) -> String? { resolved(path, depth: 0) }

    private func resolved(_ path: String, depth: Int) -> String? {
        guard depth < 32 else { return nil }
        var place = ""
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            if part == "." { continue }
            if part == ".." {
                place = parent(place)
                continue
            }
            if case .link(let target) = entries["\(place)/\(part)"] {
                let start = target.hasPrefix("/") ? target : "\(place)/\(target)"
                return resolved(([start] + parts[(index + 1)...].map(String.init)).joined(separator: "/"), depth: depth + 1)
            }
            place += "/\(part)"
        }
        return entries[place] != nil || isFolder(place) ? place : nil
    }

    private func parent(_ path: String) -> String { path.split(separator: "/").dropLast().map { "/\($0)" }.joined() }

    private func isFolder(_ path: String) -> Bool { entries.keys.contains { $0.hasPrefix(path + "/") } }

    private func isClosed(_ path: String) -> Bool {
        var folder = path
        while !folder.isEmpty {
            if case .closedFolder = entries[folder] { return true }
            folder = parent(folder)
        }
        return false
    }

    package func isFile(_ path: String) -> Bool {
        guard let place = realPath(path), case .file = entries[place] else { return false }
        return true
    }

    package func isExecutable(_ path: String) -> Bool { isFile(path) }

    package func bytes(of path: String, limit: Int) -> [UInt8]? {
        log.paths.withLock { $0.append(path) }
        guard let place = realPath(path), !isClosed(place), case .file(let text) = entries[place] else { return nil }
        return Array(text.utf8.prefix(limit))
    }

    package func names(in folder: String, limit: Int) -> [String]? {
        log.paths.withLock { $0.append(folder) }
        guard let place = realPath(folder), !isClosed(place), isFolder(place) else { return nil }
        let below = entries.keys.filter { $0.hasPrefix(place + "/") }.map { $0.dropFirst(place.count + 1) }
        let names = Set(below.compactMap { $0.split(separator: "/").first.map(String.init) })
        return Array(names.sorted().prefix(limit))
    }
}
