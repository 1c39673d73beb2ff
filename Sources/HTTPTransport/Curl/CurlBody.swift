#if os(Linux)
import Foundation
import FoundationNetworking

/// The body of a request.
enum CurlBody {
    case bytes(CurlBytes)
    case file(CurlUpload)
}

/// Bytes at a fixed address, so that libcurl sends them without a copy.
final class CurlBytes {
    let start: UnsafeMutableRawPointer
    let count: Int

    init(_ data: Data) {
        count = data.count
        start = .allocate(byteCount: max(count, 1), alignment: 1)
        data.copyBytes(to: UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    deinit {
        start.deallocate()
    }
}

/// A file that is read while it is sent.
final class CurlUpload {
    let size: Int64
    private let descriptor: CInt
    private var position: Int64 = 0

    /// - Throws: `URLError.cannotOpenFile` if the file can't be opened.
    init(_ file: URL) throws(URLError) {
        descriptor = Foundation.open(file.path, O_RDONLY | O_CLOEXEC)
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
            let why = String(cString: strerror(errno)).lowercased()
            if descriptor >= 0 { Foundation.close(descriptor) }
            throw URLError(.cannotOpenFile, sentence: "\(file.path) can't be read: \(why)")
        }
        size = Int64(facts.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next bytes; 0 at the end of the file, nil after an error.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
        guard count >= 0 else { return nil }
        position += Int64(count)
        return count
    }

    func seek(to offset: Int64) {
        position = offset
    }
}
#endif
