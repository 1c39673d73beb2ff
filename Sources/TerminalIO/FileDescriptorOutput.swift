import Foundation

/// Unbuffered output to a descriptor.
package enum FileDescriptorOutput {
    /// The patience of a process that has to end.
    package static let lastPatience = Duration.seconds(1)

    /// Writes the whole text, and waits until it is taken. What a closed terminal does not accept is dropped.
    /// - Parameter patience: how long nothing may be taken until the rest is dropped, for the last words of a process that has to end; nil
    ///   for any time.
    /// - Returns: why not everything was written; nil on success.
    @discardableResult
    package static func write(
        _ text: String, to descriptor: Int32 = STDOUT_FILENO, patience: Duration? = nil
    ) -> SystemError? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            if let patience {
                let milliseconds = Int32(clamping: Int64(patience / .milliseconds(1)))
                guard DescriptorIO.waitForOutput(descriptor, milliseconds: milliseconds) else {
                    return SystemError("write", code: EAGAIN)
                }
            }
            // A terminal that takes output at all takes this much, also where a write may block.
            switch DescriptorIO.write(descriptor, patience == nil ? bytes : bytes.prefix(128)) {
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
