import BellerophonBase
import BellerophonServer
import BellerophonStore
import Digests
import Foundation

/// The changes of an export to its folder, as paths relative to it.
struct ExportChanges: Encodable, Equatable {
    var written: [String] = []
    var unchanged: [String] = []
    var removed: [String] = []
    /// Files that could not be written, and files that refer to them. Those of an earlier export remain.
    var failed: [String] = []
}

/// A folder that contains only static files of this program.
struct ExportFolder {
    private struct Manifest: Codable {
        var files: [StaticExport.File]
    }

    static let manifestName = "bellerophon-export.json"
    static let headersName = "_headers"

    private let folder: URL
    private let known: [String: StaticExport.File]

    /// - Throws: ``CommandError`` if the folder contains other files.
    init(_ folder: URL) throws {
        self.folder = folder.absoluteURL.standardizedFileURL
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let visible = names.filter { !$0.hasPrefix(".") }
        guard !visible.isEmpty else {
            known = [:]
            return
        }
        let file = folder.appendingPathComponent(Self.manifestName)
        guard let data = FileManager.default.contents(atPath: file.path),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        else {
            throw CommandError(
                "\(folder.path) holds other files, and no export", hint: "name an empty folder, or one that is not there yet",
                exitCode: SystemExit.cantCreate
            )
        }
        known = Dictionary(manifest.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether an earlier export wrote signed documents here.
    var hasSigned: Bool { known.values.contains { $0.contentType == StaticExport.signedType } }

    /// Updates the folder: first new files, then those that refer to them, and last the removal of old ones.
    ///
    /// If a file can't be written, only the files that refer to it are left out.
    /// - Returns: the changes, and the failures.
    func apply(_ export: StaticExport, dryRun: Bool) throws -> (changes: ExportChanges, failures: [CommandError]) {
        if !dryRun { try announce(export) }
        var (changes, failures) = (ExportChanges(), export.failures)
        var failed = Set(export.unsigned)
        for item in export.items {
            let path = item.file.path
            if let needed = item.needs, failed.contains(needed) {
                failed.insert(path)
            } else if isThere(item.file) {
                changes.unchanged.append(path)
            } else {
                do throws(CommandError) {
                    if case .file(let source, _) = item.source, !FileManager.default.isReadableFile(atPath: source.path) {
                        throw CommandError(
                            "\(path): the store does not have these bytes any more",
                            hint: "bring \(source.path) back from a backup, and export again", exitCode: SystemExit.ioError)
                    }
                    if !dryRun { try write(item.source, to: path) }
                    changes.written.append(path)
                } catch {
                    failed.insert(path)
                    failures.append(error)
                }
            }
        }
        changes.failed = failed.sorted()
        let current = Set(export.items.map(\.file.path)).union(failed)
        changes.removed = known.keys.filter { !current.contains($0) && isOurs($0) }.sorted()
        guard !dryRun else { return (changes, failures) }
        let done = Set(changes.written + changes.unchanged)
        let files = export.items.map(\.file).filter { done.contains($0.path) } + changes.failed.compactMap { known[$0] }
        try writeIfNew(export.headers, to: Self.headersName)
        try writeIfNew(StoreJSON.data(Manifest(files: files)), to: Self.manifestName)
        for path in changes.removed { remove(path) }
        return (changes, failures)
    }

    /// Writes the new files' paths to the manifest before the first of them exists, so that a folder with an
    /// interrupted export still counts as one. It also removes the temporary files of such an export.
    private func announce(_ export: StaticExport) throws {
        let new = export.items.map(\.file).filter { known[$0.path] == nil }
        if !new.isEmpty {
            let all = known.values.sorted { $0.path < $1.path } + new
            try write(.bytes(StoreJSON.data(Manifest(files: all))), to: Self.manifestName)
        }
        let paths = Set(known.keys.filter(isOurs)).union(new.map(\.path)).union([Self.manifestName, Self.headersName])
        for (parent, places) in Dictionary(grouping: paths.map(url), by: { $0.deletingLastPathComponent() }) {
            let prefixes = Set(places.map(Self.temporaryPrefix))
            FileCalls.removeDrafts(in: parent) { prefixes.contains($0) }
        }
    }

    private static func temporaryPrefix(_ place: URL) -> String { ".\(place.lastPathComponent.prefix(100))." }

    /// Whether the file already has the bytes. A file with an immutable path is compared by size and recorded digest only.
    private func isThere(_ file: StaticExport.File) -> Bool {
        let place = url(file.path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            (attributes?[.size] as? NSNumber)?.int64Value == file.size
        else { return false }
        if file.cacheControl == CachePolicy.immutable { return known[file.path]?.sha256 == file.sha256 }
        guard let bytes = FileManager.default.contents(atPath: place.path) else { return false }
        return Digest(.sha256, of: bytes)?.hex == file.sha256
    }

    /// Replaces a file atomically. A resource's bytes must have the published digest.
    private func write(_ source: StaticExport.Source, to path: String) throws(CommandError) {
        let (manager, place) = (FileManager.default, url(path))
        let parent = place.deletingLastPathComponent()
        let draft = parent.appendingPathComponent("\(Self.temporaryPrefix(place))\(UUID().uuidString)")
        do {
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            switch source {
            case .bytes(let data):
                try FileCalls.replace(place.path, with: data, draft: draft.path, mode: 0o644, isNameDurable: false)
            case .file(let file, let sha256):
                try manager.copyItem(at: file, to: draft)
                try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: draft.path)
                let handle = try FileHandle(forWritingTo: draft)
                try handle.synchronize()
                try handle.close()
                guard Digest(.sha256, ofFile: draft)?.hex == sha256 else {
                    throw CommandError(
                        "\(path): the store's file was changed since it was published; its SHA-256 is another one",
                        hint: "bring \(file.path) back from a backup, and export again", exitCode: SystemExit.ioError
                    )
                }
                try FileCalls.rename(draft.path, to: place.path)
            }
        } catch {
            unlink(draft.path)
            let reason = (error as? FileError)?.reason ?? (error as NSError).localizedDescription
            throw error as? CommandError
                ?? CommandError(
                    "can't write \(place.path): \(reason)",
                    hint: "the earlier export is complete; solve the problem, and export again", exitCode: SystemExit.ioError)
        }
    }

    private func writeIfNew(_ data: Data, to path: String) throws {
        if FileManager.default.contents(atPath: url(path).path) != data { try write(.bytes(data), to: path) }
    }

    /// Removes a file and the folders that become empty.
    private func remove(_ path: String) {
        guard unlink(url(path).path) == 0 else { return }
        var parent = url(path).deletingLastPathComponent()
        while parent.path.hasPrefix(folder.path + "/"), rmdir(parent.path) == 0 { parent.deleteLastPathComponent() }
    }

    /// Whether a path stays inside the folder. A manifest that was tampered with could name files elsewhere.
    private func isOurs(_ path: String) -> Bool {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        return names.allSatisfy { StaticExport.isPlain(String($0)) }
    }

    private func url(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
