import BellerophonBase
import Foundation

/// A file that can't be written, and the reason.
package struct OutputFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let problem: String

    package init(path: String, _ problem: String) { (self.path, self.problem) = (path, problem) }

    /// An error of the system.
    package init(_ error: FileError) { self.init(path: error.path, "can't be written: \(error.reason)") }

    package var description: String { "\(path): \(problem)" }
}

/// Files that the program writes for their owner only.
package enum OutputFile {
    /// Opens a file that child processes do not inherit.
    /// - Parameter flags: in addition to `O_CLOEXEC` and `O_NONBLOCK`. A created file gets mode 0600.
    package static func open(_ path: String, _ flags: Int32) throws(OutputFileError) -> Int32 {
        guard !path.isEmpty else { throw OutputFileError(path: "\"\"", "is no file name") }
        do throws(FileError) {
            // Without O_NONBLOCK, opening a named pipe that has no reader would block the program.
            return try FileCalls.open(path, flags | O_NONBLOCK)
        } catch {
            throw OutputFileError(error)
        }
    }

    /// Why a file can't be written from its start: it is no regular file, or it has content.
    package static func problem(with facts: FileFacts?, _ path: String, for purpose: String) -> OutputFileError? {
        guard let facts, facts.isRegularFile else { return OutputFileError(path: path, "is not a regular file") }
        if facts.st_size == 0 { return nil }
        return OutputFileError(path: path, "exists and is not empty; \(purpose) never overwrites a file")
    }

    /// Creates a file with the given text.
    /// - Returns: false if a file of that name exists.
    package static func create(_ path: String, _ text: String) throws(OutputFileError) -> Bool {
        let descriptor: Int32
        do {
            descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch {
            if FileFacts(path: path, followsLinks: false) != nil { return false }
            throw error
        }
        defer { close(descriptor) }
        do throws(FileError) {
            try FileCalls.write(Data(text.utf8), to: descriptor, path: path)
            return true
        } catch {
            unlink(path)
            throw OutputFileError(error)
        }
    }
}
