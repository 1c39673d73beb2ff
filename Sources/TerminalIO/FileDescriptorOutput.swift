import Foundation

/// Unbuffered output to a descriptor.
package enum FileDescriptorOutput {
    /// Writes the whole text, and waits until it is taken. What a closed terminal does not accept is dropped.
    /// - Returns: why not everything was written; nil on success.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> SystemError? {
        write(Array(text.utf8)[...], to: descriptor)
    }

    /// As ``write(_:to:)-(String,_)``, with bytes.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemError? {
        var bytes = bytes
        while !bytes.isEmpty {
            switch DescriptorIO.write(descriptor, bytes) {
            case .wrote(let count):
                bytes = bytes.dropFirst(count)
                // Another program may have made the descriptor non-blocking.
                if count == 0 { _ = DescriptorIO.waitForOutput(descriptor, milliseconds: 1000) }
            case .gone: return SystemError("write", code: errno)
            }
        }
        return nil
    }
}
