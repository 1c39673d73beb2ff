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

    /// A lock against other installs and uninstalls, and the folders that did not exist before, the outermost first.
    struct Lock: Sendable {
        fileprivate let file: FileLock
        fileprivate let created: [String]
    }

    private var lockFile: String { PathText.join(folder, ".lock") }

    /// Waits until no other install or uninstall runs, and creates the folder if it does not exist.
    /// - Parameter limit: the longest wait.
    func lock(limit: Duration) throws(GuardInstallError) -> Lock {
        var created: [String] = []
        while true {
            do throws(GuardInstallError) {
                try makeFolder(&created)
                let file = try lockFile(limit: limit)
                // Another install that has failed may have removed the file since it was opened.
                if file.isFile(at: lockFile) { return Lock(file: file, created: created) }
            } catch {
                removeFolder(created)
                throw error
            }
        }
    }

    private func lockFile(limit: Duration) throws(GuardInstallError) -> FileLock {
        do throws(FileError) {
            if let lock = try FileLock.wait(lockFile, limit: limit) { return lock }
        } catch {
            throw GuardInstallError(error)
        }
        throw GuardInstallError(.temporary, "another bellerophon guard install or uninstall has not finished; try again later")
    }

    /// Creates the missing folders. Each one is checked before another is created in it.
    private func makeFolder(_ created: inout [String]) throws(GuardInstallError) {
        var path = trusted.root
        for part in PathText.parts(of: Self.place) {
            path = PathText.join(path, part)
            if mkdir(path, 0o755) == 0 {
                created.append(path)
                // The umask of the process may have removed permissions.
                chmod(path, 0o755)
            } else if errno != EEXIST {
                throw GuardInstallError(FileError("make the folder", path))
            }
            _ = try trusted.folder(path)
        }
    }

    /// Removes the folders that were created for a lock, after an install that has failed. A folder with records stays.
    func removeFolder(of lock: Lock) {
        guard lock.created.contains(folder) else { return }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        if names == [".lock"] { unlink(lockFile) }
        removeFolder(lock.created)
    }

    private func removeFolder(_ created: [String]) {
        for path in created.reversed() { rmdir(path) }
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
