internal import CPty

/// What a read from a non-blocking descriptor returned.
package enum ReadResult: Equatable, Sendable {
    /// At least one byte.
    case bytes([UInt8])
    /// Nothing is waiting.
    case nothing
    /// No more bytes will come.
    case ended
}

/// What a write to a non-blocking descriptor did.
package enum WriteResult: Equatable, Sendable {
    /// The number of bytes that were taken, from the first one on; 0 if none can be taken now.
    case wrote(Int)
    /// The other end is gone.
    case gone
}

/// Reads and writes on non-blocking descriptors.
package enum DescriptorIO {
    package static func read(_ descriptor: Int32, limit: Int) -> ReadResult {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, count in
            result = cpty_read(descriptor, buffer.baseAddress, buffer.count)
            count = max(0, result)
        }
        if result > 0 { return .bytes(bytes) }
        return result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK) ? .nothing : .ended
    }

    package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> WriteResult {
        if bytes.isEmpty { return .wrote(0) }
        let count = bytes.withUnsafeBytes { cpty_write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return .wrote(count) }
        return count == -Int(EAGAIN) || count == -Int(EWOULDBLOCK) ? .wrote(0) : .gone
    }

    /// Whether a descriptor takes output, or is gone, within a time.
    package static func waitForOutput(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        cpty_wait_for_output(descriptor, milliseconds)
    }
}
