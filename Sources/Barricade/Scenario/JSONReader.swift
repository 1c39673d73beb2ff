import Foundation

/// Reads JSON (RFC 8259) strictly and says where it stops being JSON.
///
/// `JSONDecoder` gives no line of a value, loses the order of members and lets a name stand twice.
struct JSONReader {
    /// Values inside values; deeper text is refused, so that no text can exhaust the stack.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0

    /// Reads a whole text.
    static func read(_ data: Data) throws(ScenarioProblem) -> JSONNode {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ScenarioProblem(JSONPlace(line: 1, column: 1), path: "", "the text is not UTF-8")
        }
        var reader = JSONReader(bytes: Array(text.utf8))
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let node = try reader.value()
        reader.skipSpace()
        guard reader.index == reader.bytes.count else { throw reader.problem("the end of the file") }
        return node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var place: JSONPlace { JSONPlace(line: line, column: index - lineStart + 1) }
    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func problem(_ expected: String) -> ScenarioProblem {
        var found = "the end of the file"
        if index < bytes.count {
            let rest = String(decoding: bytes[index..<min(index + 8, bytes.count)], as: UTF8.self)
            let scalar = rest.unicodeScalars.first ?? " "
            found = scalar.isUnseen ? "a control character" : "\"\(scalar)\""
        }
        return ScenarioProblem(place, path: "", "not JSON: expected \(expected), found \(found)")
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
        }
    }

    /// Steps over a byte if it stands next.
    private mutating func take(_ byte: Character) -> Bool {
        guard current == byte.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(ScenarioProblem) -> JSONNode {
        skipSpace()
        let place = self.place
        guard depth < Self.maximumDepth else {
            throw ScenarioProblem(place, path: "", "more than \(Self.maximumDepth) values inside each other")
        }
        depth += 1
        defer { depth -= 1 }
        return JSONNode(value: try bareValue(), place: place)
    }

    private mutating func bareValue() throws(ScenarioProblem) -> JSONNode.Value {
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
            return try number()
        default: return try word()
        }
    }

    private mutating func word() throws(ScenarioProblem) -> JSONNode.Value {
        for (word, value) in [("true", JSONNode.Value.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw problem("a value")
    }

    private mutating func object() throws(ScenarioProblem) -> JSONNode.Value {
        index += 1
        var members: [JSONMember] = []
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            let place = self.place
            guard current == UInt8(ascii: "\"") else { throw problem("a name in quotes") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw problem("\":\"") }
            members.append(JSONMember(name: name, place: place, node: try value()))
            skipSpace()
        } while take(",")
        guard take("}") else { throw problem("\",\" or \"}\"") }
        return .object(members)
    }

    private mutating func array() throws(ScenarioProblem) -> JSONNode.Value {
        index += 1
        var items: [JSONNode] = []
        skipSpace()
        if take("]") { return .array(items) }
        repeat {
            items.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw problem("\",\" or \"]\"") }
        return .array(items)
    }
}

// MARK: Numbers and strings

extension JSONReader {
    private mutating func number() throws(ScenarioProblem) -> JSONNode.Value {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return .number(Double(text) ?? .infinity, text: text)
    }

    private mutating func digits() throws(ScenarioProblem) {
        let start = index
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw problem("a digit") }
    }

    private mutating func string() throws(ScenarioProblem) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += String(try escape()).utf8
            case 0..<0x20:
                throw problem("an escape such as \\n inside text")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw problem("a closing quote")
    }

    private mutating func escape() throws(ScenarioProblem) -> Unicode.Scalar {
        index += 1
        let short: [Character: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        for (letter, scalar) in short where take(letter) { return scalar }
        guard take("u") else { throw problem("an escape") }
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, take("\\"), take("u") else { throw problem("the second half of a surrogate pair") }
        let low = try codeUnit()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw problem("the second half of a surrogate pair") }
        return scalar
    }

    private mutating func codeUnit() throws(ScenarioProblem) -> UInt16 {
        let digits = bytes[index..<min(index + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("four hexadecimal digits") }
        index += 4
        return unit
    }
}
