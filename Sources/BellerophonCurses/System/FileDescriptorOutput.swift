import Foundation

/// Unbuffered output to standard output.
package enum FileDescriptorOutput {
    /// Writes the whole text. What a closed terminal does not accept is dropped.
    /// - Returns: whether everything was written.
    @discardableResult
    package static func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR && errno != EAGAIN { return false }
        }
        return true
    }
}

/// Unbuffered input from standard input.
enum FileDescriptorInput {
    /// Reads the waiting bytes. True if they contain a line end.
    static func readsLineEnd() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = bytes.withUnsafeMutableBytes { Foundation.read(0, $0.baseAddress, $0.count) }
        return count > 0 && bytes[..<count].contains { $0 == 0x0A || $0 == 0x0D }
    }
}
