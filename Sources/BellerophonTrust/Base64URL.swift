import Foundation

/// Base64url without padding (RFC 7515, section 2). Each value has exactly one valid text.
enum Base64URL {
    /// The bytes; nil if the text has padding, white space, other characters or unused bits that are not zero: the bytes then have
    /// another text.
    static func decode(_ text: some Collection<UInt8>) -> Data? {
        let plain = text.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: Data(plain + padding)).flatMap { encode($0).utf8.elementsEqual(text) ? $0 : nil }
    }

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return String(text.prefix { $0 != "=" })
    }
}
