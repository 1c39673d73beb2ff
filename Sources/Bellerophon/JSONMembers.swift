package import Foundation

/// The members of a JSON object as they stand in its bytes: in order, and each as often as it was written.
///
/// A decoder shows one of two members with the same name, and two decoders need not show the same one (RFC 8259,
/// section 4), so that whoever has to refuse such an object must look at the bytes. This takes broken text and commas
/// too many as decoders do: it tells names and values apart, and does not check the grammar.
package struct JSONMembers: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        /// With its escapes resolved: `"al\u0067"` is `alg`.
        package var name: String
        /// The bytes of the value, without the space around it.
        package var value: [UInt8]
    }

    package private(set) var members: [Member] = []

    /// - Parameter json: UTF-8. A byte order mark is no part of JSON text (RFC 8259, section 8.1), so that none is taken in
    ///   what is signed; a reader of files that may begin with one removes it.
    /// - Returns: nil where the bytes are no object, or end inside it.
    package init?(of json: Data) {
        var reader = MemberReader(json)
        guard let members = reader.read() else { return nil }
        self.members = members
    }

    /// The names of an object's members in order; nil where the bytes are no object.
    package static func names(in json: Data) -> [String]? {
        JSONMembers(of: json)?.members.map(\.name)
    }

    /// The first name that stands twice; nil where each stands once.
    package var repeatedName: String? {
        var known: Set<String> = []
        return members.first { !known.insert($0.name).inserted }?.name
    }

    /// The bytes of a value; nil where there is none of that name.
    package subscript(name: String) -> [UInt8]? {
        members.first { $0.name == name }?.value
    }
}

/// Goes over an object's bytes once.
private struct MemberReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ json: Data) {
        bytes = Array(json)
    }

    mutating func read() -> [JSONMembers.Member]? {
        skipSpace()
        guard take(UInt8(ascii: "{")) else { return nil }
        var members: [JSONMembers.Member] = []
        while let byte = present {
            switch byte {
            case UInt8(ascii: "}"): return members
            case UInt8(ascii: "\""):
                let name = string()
                skipSpace()
                if take(UInt8(ascii: ":")) { members.append(JSONMembers.Member(name: JSONText.unescaped(name), value: value())) }
            default: index += 1
            }
        }
        return nil
    }

    private var present: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard present == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = present, JSONText.isSpace(byte) { index += 1 }
    }

    /// What stands between two quotes, the first of which is at the present place.
    private mutating func string() -> [UInt8] {
        index += 1
        let start = index
        while let byte = present, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let end = min(index, bytes.count)
        index = min(end + 1, bytes.count)
        return Array(bytes[start..<end])
    }

    /// Everything up to the comma or the brace that ends the member.
    private mutating func value() -> [UInt8] {
        skipSpace()
        let start = index
        var depth = 0
        scan: while let byte = present {
            switch byte {
            case UInt8(ascii: "\""):
                _ = string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0: break scan
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(depth - 1, 0)
            default: break
            }
            index += 1
        }
        var end = index
        while end > start, JSONText.isSpace(bytes[end - 1]) { end -= 1 }
        return Array(bytes[start..<end])
    }
}

extension JSONText {
    /// The text between two quotes. What is no escape stays as it is; lone surrogates become U+FFFD.
    static func unescaped(_ bytes: [UInt8]) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var index = 0
        while index < bytes.count {
            if let unit = codeUnit(bytes, at: index) {
                units.append(UInt16(truncatingIfNeeded: unit))
                index += 6
            } else if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, let plain = shortEscapes[bytes[index + 1]] {
                units.append(UInt16(plain))
                index += 2
            } else {
                let start = index
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\\") { index += 1 }
                units += Array(String(decoding: bytes[start..<index], as: UTF8.self).utf16)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// What stands for a character after a backslash (RFC 8259, section 7).
    static let shortEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
}
