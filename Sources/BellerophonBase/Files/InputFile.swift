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
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile(path).start(limit: limit + 1, patience: patience)
        } catch {
            throw error.code == ETIME ? .silent(for: patience) : ReadError(errno: error.code)
        }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return Data(bytes)
    }
}
