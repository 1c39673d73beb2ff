package import Foundation

/// Reads a file or a pipe at a path that a person entered, with limits on size and time.
///
/// A pipe with a writer (`<(…)`, `/dev/stdin`) is read to its end. A pipe without a writer ends with a timeout.
package enum InputFile {
    /// The default limit on the time without a byte from a pipe.
    package static let patience = Duration.seconds(5)

    /// Why nothing was read, without the path.
    package enum ReadError: Error, Equatable, Sendable, CustomStringConvertible {
        case notFound
        case notPermitted
        case isFolder
        /// The input has more bytes than the limit.
        case tooLarge(limit: Int)
        /// A pipe, or another input that is not a regular file, delivered no byte for that time.
        case silent(for: Duration)
        /// Another system error, by the value of `errno`.
        case system(Int32)

        init(errno number: Int32) {
            switch number {
            case ENOENT: self = .notFound
            case EACCES, EPERM: self = .notPermitted
            case EISDIR: self = .isFolder
            default: self = .system(number)
            }
        }

        package var description: String {
            switch self {
            case .notFound: "no such file"
            case .notPermitted: "permission denied"
            case .isFolder: "it is a folder"
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            case .silent(let time): "it is not a regular file, and it gave no data for \(Int(time.inSeconds)) s"
            case .system(let number): String(cString: strerror(number))
            }
        }
    }

    /// Reads the whole input.
    /// - Parameters:
    ///   - limit: the maximum number of bytes; larger input is an error.
    ///   - patience: the longest time without a byte, for input that is not a regular file.
    package static func read(_ path: String, limit: Int, patience: Duration = patience) throws(ReadError) -> Data {
        // Without O_NONBLOCK open(2) waits until another process opens a pipe for writing.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReadError(errno: errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw ReadError(errno: errno) }
        let mayWait = facts.st_mode & S_IFMT != S_IFREG
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // For a pipe that was never opened for writing, read(2) returns 0 as at the end of the file, but poll(2) waits.
            if mayWait { try wait(for: descriptor, patience) }
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw ReadError(errno: errno) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }

    private static func wait(for descriptor: CInt, _ patience: Duration) throws(ReadError) {
        let end = ContinuousClock.now + patience
        while true {
            let left = max(0, ContinuousClock.now.duration(to: end) / .milliseconds(1))
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&poller, 1, CInt(min(left.rounded(.up), 3_600_000)))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw ReadError(errno: errno) }
            if count == 0, left == 0 { throw .silent(for: patience) }
        }
    }
}
