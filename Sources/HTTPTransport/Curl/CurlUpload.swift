#if os(Linux)
import BellerophonBase
import Foundation
import FoundationNetworking

/// A file that is read while it is sent.
final class CurlUpload {
    let size: Int64
    private let file: OpenFile
    private var position: Int64 = 0

    /// - Throws: `URLError.cannotOpenFile` if the file can't be opened.
    init(_ file: URL) throws(URLError) {
        self.file = try OpenFile(file.path) {
            URLError(.cannotOpenFile, sentence: "\($0.path) can't be read: \($0.reason.lowercased())")
        }
        size = Int64(self.file.facts.st_size)
    }

    /// Reads the next bytes; 0 at the end of the file, nil after an error.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = pread(file.descriptor.number, buffer.baseAddress, buffer.count, off_t(position))
        guard count >= 0 else { return nil }
        position += Int64(count)
        return count
    }

    func seek(to offset: Int64) {
        position = offset
    }
}
#endif
