/// Gzip streams (RFC 1951, RFC 1952) made without a compression library.
enum Gzip {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]

    /// The bytes in stored blocks: valid gzip without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream = header
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            stream += littleEndian(length) + littleEndian(~length) + block
        } while !rest.isEmpty
        return stream + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// At least `count` spaces in one block of fixed codes. The checksum is missing, so a reader fails only after it
    /// has inflated everything.
    static func blanks(count: Int) -> [UInt8] {
        // Length 258 (11000101) at distance one (00000): 13 bits for 258 spaces.
        let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        // The block's header (last, fixed codes) and the literal space; with one copy they fill three bytes.
        let start: [UInt8] = [1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0]
        let round = pack((0..<8).flatMap { _ in copy })
        var stream = header + pack(start + copy)
        for _ in 0..<max(0, (count - 259 + 2063) / 2064) { stream += round }
        return stream + [0]  // The end of the block is seven zero bits.
    }

    /// Packs bits into bytes, least significant bit first.
    private static func pack(_ bits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
        }
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xedb8_8320 : rest >> 1 }
        }
    }
}
