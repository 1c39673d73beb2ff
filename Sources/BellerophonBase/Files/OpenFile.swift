internal import Foundation

/// A file that is open for reading, with the facts of the open file: it can't be exchanged after they were checked.
package struct OpenFile: Sendable {
    private let path: String
    package let facts: FileFacts
    package let descriptor: Descriptor

    /// Opens a file, also a pipe without a writer, without waiting.
    /// - Parameters:
    ///   - followsLinks: whether a link at the end of the path is followed; otherwise it is an error with the code `ELOOP`.
    ///   - failure: the error to throw for that of a system call.
    package init<Failure: Error>(
        _ path: String, followsLinks: Bool = true, _ failure: (FileError) -> Failure = { (error: FileError) in error }
    ) throws(Failure) {
        do throws(FileError) {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            descriptor = Descriptor(try FileCalls.open(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)))
        } catch {
            throw failure(error)
        }
        guard let facts = FileFacts(descriptor: descriptor.number) else { throw failure(FileError("read", path)) }
        (self.path, self.facts) = (path, facts)
    }

    /// Reads at most this number of bytes from the start.
    /// - Parameters:
    ///   - patience: the longest time without a byte, for a file that is not a regular one; then the error has the code `ETIME`.
    ///     Without it, such a file is not waited for.
    ///   - failure: the error to throw for that of a system call.
    package func start<Failure: Error>(
        limit: Int, patience: Duration? = nil, _ failure: (FileError) -> Failure = { (error: FileError) in error }
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        // One byte more, so that a search can append its end without a copy.
        bytes.reserveCapacity(max(0, min(limit, Int(facts.st_size))) + 1)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < limit {
            // For a pipe that was never opened for writing, read(2) returns 0 as at the end of the file, but poll(2) waits.
            if let patience, !facts.isRegularFile, let code = wait(patience) {
                throw failure(FileError("read", path, code: code))
            }
            let count = read(descriptor.number, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR || errno == EAGAIN && patience != nil { continue }
            guard count >= 0 else { throw failure(FileError("read", path)) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Waits for a byte or the end.
    /// - Returns: the value of `errno` after an error; nil after success.
    private func wait(_ patience: Duration) -> Int32? {
        let end = ContinuousClock.now + patience
        while true {
            let left = max(0, ContinuousClock.now.duration(to: end) / .milliseconds(1))
            var poller = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            let count = poll(&poller, 1, CInt(min(left.rounded(.up), 3_600_000)))
            if count > 0 { return nil }
            if count < 0, errno != EINTR { return errno }
            if count == 0, left == 0 { return ETIME }
        }
    }
}
