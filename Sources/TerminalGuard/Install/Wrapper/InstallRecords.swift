import BellerophonBase
import Foundation

/// Where wrappers were installed, one file for each profile in `/var/lib/bellerophon-guard`.
///
/// With it a wrapper is found and removed even if its profile has been deleted or names another place now. A place is
/// recorded before its wrapper is written, and forgotten after it was removed. So a record may name a place without a
/// wrapper after a crash, but no wrapper is without a record.
struct InstallRecords {
    private static let suffix = ".json"
    private static let sizeLimit = 1 << 20
    private static let place = "var/lib/bellerophon-guard"

    private let trusted: TrustedPath

    init(_ folder: GuardFolder) {
        trusted = TrustedPath(root: folder.root, rule: .exclusive(folder.owner))
    }

    private var folder: String { PathText.join(trusted.root, Self.place) }

    private func file(of name: GuardProfileName) -> String { PathText.join(folder, name.text + Self.suffix) }

    /// Waits until no other install or uninstall runs, and creates the folder if it does not exist.
    /// - Parameter limit: the longest wait.
    func lock(limit: Duration) throws(GuardInstallError) -> FileLock {
        try makeFolder()
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock.wait(PathText.join(folder, ".lock"), limit: limit)
        } catch {
            throw GuardInstallError(error)
        }
        guard let lock else {
            throw GuardInstallError(
                .temporary, "another bellerophon guard install or uninstall has not finished; try again later")
        }
        return lock
    }

    /// Creates the missing folders. Each one is checked before another is created in it.
    private func makeFolder() throws(GuardInstallError) {
        var path = trusted.root
        for part in PathText.parts(of: Self.place) {
            path = PathText.join(path, part)
            if mkdir(path, 0o755) == 0 {
                // The umask of the process may have removed permissions.
                chmod(path, 0o755)
            } else if errno != EEXIST {
                throw GuardInstallError(FileError("make the folder", path))
            }
            _ = try trusted.folder(path)
        }
    }

    /// The places of a profile's wrappers; empty if nothing is recorded.
    func wrappers(of name: GuardProfileName) throws(GuardInstallError) -> [AbsolutePath] {
        guard let file = AbsolutePath(file(of: name)) else { return [] }
        let data: Data
        do throws(GuardInstallError) {
            data = try trusted.read(file, limit: Self.sizeLimit)
        } catch {
            if error.pathProblem == .missing { return [] }
            throw error
        }
        guard case .object(let members) = JSONValue(parsing: data), case .array(let items) = members["wrappers"] else {
            throw GuardInstallError(.configuration, "\(file) is damaged; remove it, and look for the wrapper of \(name) by hand")
        }
        return items.compactMap { if case .string(let text) = $0 { AbsolutePath(text) } else { nil } }
    }

    func set(_ wrappers: [AbsolutePath], of name: GuardProfileName) throws(GuardInstallError) {
        let path = file(of: name), draft = PathText.join(folder, ".\(name)\(Self.suffix).bellerophon-new")
        let record = JSONNode.object([("wrappers", .array(wrappers.map { .text($0.text) }))])
        do throws(FileError) {
            guard !wrappers.isEmpty else { return try FileCalls.remove(path, draft: draft) }
            try FileCalls.replace(path, with: record.data + Data("\n".utf8), draft: draft, mode: 0o644)
        } catch {
            throw GuardInstallError(error)
        }
    }

    /// The profiles with a record; empty if the folder can't be read.
    func names() -> [GuardProfileName] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(Self.suffix) }.compactMap { GuardProfileName(String($0.dropLast(Self.suffix.count))) }
    }
}
