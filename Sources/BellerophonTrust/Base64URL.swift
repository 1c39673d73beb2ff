import Foundation

/// Base64url without padding (RFC 7515, section 2). Each value has exactly one valid text.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte; 0xFF for a byte that is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(truncatingIfNeeded: value) }
        return values
    }()

    /// The bytes; nil if the text has padding, white space, other characters or unused bits that are not zero.
    static func decode(_ text: some Collection<UInt8>) -> Data? {
        guard text.count % 4 != 1 else { return nil }
        var out = Data(capacity: text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            let value = values[Int(byte)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= 1 << UInt32(count) - 1
        }
        return bits == 0 ? out : nil
    }

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                out.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { out.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        return String(decoding: out, as: UTF8.self)
    }
}
