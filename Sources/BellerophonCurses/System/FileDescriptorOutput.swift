import Foundation
import TerminalIO

/// Unbuffered output to a descriptor.
package enum FileDescriptorOutput {
    /// Writes the whole text. What a closed terminal does not accept is dropped.
    /// - Returns: whether everything was written.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            switch DescriptorIO.write(descriptor, bytes) {
            case .wrote(let count):
                bytes = bytes.dropFirst(count)
                // Another program may have made the descriptor non-blocking.
                if count == 0 { _ = DescriptorIO.waitForOutput(descriptor, milliseconds: 1000) }
            case .gone: return false
            }
        }
        return true
    }
}
