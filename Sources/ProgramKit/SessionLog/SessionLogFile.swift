import BellerophonBase
import Foundation
import Synchronization

/// A file to which journal records are appended, one line each.
///
/// Several programs may append to the same file: each line is written at its end by a single write.
package final class SessionLogFile: Sendable {
    package let path: String
    private let descriptor: Int32
    /// Whether the file ends within a line, written by this program or by one that was killed.
    private let endsMidLine: Mutex<Bool>

    /// Opens the file, or creates it for its owner only (0600).
    /// - Throws: why it can't be written.
    package init(_ path: String) throws(OutputFileError) {
        self.path = path
        descriptor = try OutputFile.open(path, O_RDWR | O_CREAT | O_APPEND)
        guard let facts = FileFacts(descriptor: descriptor), facts.isRegularFile else {
            close(descriptor)
            throw OutputFileError(path: path, "is not a regular file")
        }
        var last: UInt8 = 0
        let hasLast = facts.st_size > 0 && pread(descriptor, &last, 1, facts.st_size - 1) == 1
        endsMidLine = Mutex(hasLast && last != UInt8(ascii: "\n"))
    }

    deinit {
        close(descriptor)
    }

    /// Appends a record. An incomplete earlier line, for example after a full disk, stays on a line of its own.
    package func append(_ record: SessionLogRecord) throws(OutputFileError) {
        let json = record.json
        let problem = endsMidLine.withLock { endsMidLine -> OutputFileError? in
            let line = Array(((endsMidLine ? "\n" : "") + json + "\n").utf8)
            let count = Self.writeOnce(descriptor, line)
            guard count >= 0 else { return OutputFileError(FileError("write", path)) }
            endsMidLine = count < line.count && (count > 0 || endsMidLine)
            return count == line.count ? nil : OutputFileError(path: path, "can't be written: it took only a part of a line")
        }
        if let problem { throw problem }
    }

    private static func writeOnce(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        while true {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
