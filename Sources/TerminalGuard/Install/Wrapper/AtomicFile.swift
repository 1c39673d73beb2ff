import BellerophonBase
import Foundation

/// Writes and removes a file that is there whole or not at all.
///
/// The content is written to a temporary file in the same folder, flushed to the disk and then given its name. A failure
/// removes the temporary file. After a crash it can remain; the next write of the same file replaces it.
struct AtomicFile {
    /// The parts of a write, for tests that let one of them fail.
    enum Step: CaseIterable, Sendable {
        case create, write, flush, name
    }

    let path: String
    /// The permissions, whatever the umask of the process.
    let mode: mode_t
    /// Called before each step; an error stops the write there.
    var beforeStep: @Sendable (Step) throws(FileError) -> Void = { (_) throws(FileError) in }

    /// The path of the temporary file.
    private var draft: String {
        let (folder, name) = PathText.split(path)
        return PathText.join(folder, ".\(name).bellerophon-new")
    }

    /// - Parameter replacing: whether a file at the path is replaced; otherwise it is an error with the code `EEXIST`.
    func write(_ data: Data, replacing: Bool) throws(FileError) {
        do throws(FileError) {
            try fillDraft(data)
            try beforeStep(.name)
            try replacing ? FileCalls.rename(draft, to: path) : nameNewFile()
        } catch {
            unlink(draft)
            throw error
        }
        try FileCalls.synchronizeFolder(PathText.split(path).folder)
    }

    private func fillDraft(_ data: Data) throws(FileError) {
        // Left over from a crash.
        unlink(draft)
        try beforeStep(.create)
        let descriptor = try FileCalls.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        defer { close(descriptor) }
        guard fchmod(descriptor, mode) == 0 else { throw FileError("write", draft) }
        try beforeStep(.write)
        try FileCalls.write(data, to: descriptor, path: draft)
        try beforeStep(.flush)
        try FileCalls.synchronize(descriptor, path: draft)
    }

    /// Unlike rename(2), link(2) never replaces a file that has appeared in the meantime.
    private func nameNewFile() throws(FileError) {
        if link(draft, path) == 0 {
            unlink(draft)
            return
        }
        let code = errno
        // A file system without hard links.
        guard code == EPERM || code == ENOTSUP || code == ENOSYS else { throw FileError("install", path, code: code) }
        var facts = stat()
        guard lstat(path, &facts) != 0 else { throw FileError("install", path, code: EEXIST) }
        try FileCalls.rename(draft, to: path)
    }

    /// Removes the file, and what a crash in the middle of a write has left. It is no error if there is no file.
    func remove() throws(FileError) {
        unlink(draft)
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path) }
        try FileCalls.synchronizeFolder(PathText.split(path).folder)
    }
}
