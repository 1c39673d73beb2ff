package import Foundation

/// Reads JSON strictly by RFC 8259, with the position of every value.
///
/// `JSONDecoder` accepts trailing commas, leading zeros and UTF-16, hides repeated names, and provides neither positions
/// nor the order of members. Text that two readers could interpret differently must be refused.
package struct JSONReader {
    package struct Options: OptionSet, Sendable {
        /// A number outside the range of `Double` is read as infinity with its sign; otherwise it is refused.
        package static let acceptsHugeNumbers = Options(rawValue: 1)
        /// An object may contain a name twice; otherwise it is refused, at any depth.
        package static let acceptsRepeatedNames = Options(rawValue: 2)
        /// A byte order mark is not skipped (RFC 8259, section 8.1). It is not part of JSON text, so signed text has none.
        package static let refusesByteOrderMark = Options(rawValue: 4)

        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The deepest nesting; deeper text is refused, so that no text can exhaust the stack.
    private static let depthLimit = 128

    private let options: Options
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0

    /// Reads one JSON text.
    /// - Parameter data: the text in UTF-8.
    package static func read(_ data: Data, _ options: Options = []) throws(JSONSyntaxError) -> JSONNode {
        var reader = JSONReader(bytes: Array(data), options)
        try reader.skipStart()
        let node = try reader.value()
        reader.skipSpace()
        guard reader.index == reader.bytes.count else { throw reader.unexpected("the end of the text") }
        return node
    }

    private init(bytes: [UInt8], _ options: Options) {
        self.bytes = bytes
        self.options = options
    }

    private mutating func skipStart() throws(JSONSyntaxError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw error(.notUTF8) }
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        guard !options.contains(.refusesByteOrderMark) else { throw error(.byteOrderMark) }
        (index, lineStart) = (3, 3)
    }

    private var position: JSONPosition { JSONPosition(line: line, column: index - lineStart + 1) }
    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, position: position)
    }

    private func unexpected(_ expected: String) -> JSONSyntaxError {
        var found = "the end of the text"
        if index < bytes.count {
            let rest = String(decoding: bytes[index..<min(index + 8, bytes.count)], as: UTF8.self)
            let scalar = rest.unicodeScalars.first ?? " "
            found = scalar.isInvisible ? "a control character" : "\"\(scalar)\""
        }
        return error(.unexpected(expected: expected, found: found))
    }

    private mutating func skipSpace() {
        while let byte = current, JSONText.isSpace(byte) {
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONNode {
        skipSpace()
        guard depth < Self.depthLimit else { throw error(.tooDeep(limit: Self.depthLimit)) }
        depth += 1
        defer { depth -= 1 }
        let position = position
        return JSONNode(try bareValue(), at: position)
    }

    private mutating func bareValue() throws(JSONSyntaxError) -> JSONNode.Value {
        switch current {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): return try number()
        default: return try word()
        }
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONNode.Value {
        for (word, value) in [("true", JSONNode.Value.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw unexpected("a value")
    }

    private mutating func object() throws(JSONSyntaxError) -> [JSONMember] {
        index += 1
        var members: [JSONMember] = []
        var names = JSONNames()
        skipSpace()
        if skip("}") { return members }
        repeat {
            skipSpace()
            let position = position
            guard current == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let name = try string()
            if !options.contains(.acceptsRepeatedNames), !names.insert(name) {
                throw JSONSyntaxError(reason: .repeatedName(name), position: position)
            }
            skipSpace()
            guard skip(":") else { throw unexpected("\":\"") }
            members.append(JSONMember(name: name, position: position, node: try value()))
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw unexpected("\",\" or \"}\"") }
        return members
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONNode] {
        index += 1
        var items: [JSONNode] = []
        skipSpace()
        if skip("]") { return items }
        repeat {
            items.append(try value())
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw unexpected("\",\" or \"]\"") }
        return items
    }
}

// MARK: Numbers and strings

extension JSONReader {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private mutating func number() throws(JSONSyntaxError) -> JSONNode.Value {
        let (start, position) = (index, position)
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        let number = Double(text) ?? .infinity
        guard number.isFinite || options.contains(.acceptsHugeNumbers) else {
            throw JSONSyntaxError(reason: .hugeNumber, position: position)
        }
        return .number(number, text: text)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while let byte = current, Self.digits.contains(byte) { index += 1 }
        guard index > start else { throw unexpected("a digit") }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += UTF8.encode(try escape()) ?? UTF8.encodedReplacementCharacter
            case 0..<0x20: throw unexpected("an escape such as \\n inside text")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw unexpected("a closing quote")
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        if let unit = JSONText.codeUnit(bytes, at: index) {
            index += 6
            if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
            guard unit < 0xDC00, let low = JSONText.codeUnit(bytes, at: index), (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(UInt32(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)))
            else { throw unexpected("the second half of a surrogate pair") }
            index += 6
            return scalar
        }
        guard index + 1 < bytes.count, let plain = JSONText.shortEscapes[bytes[index + 1]] else { throw unexpected("an escape") }
        index += 2
        return Unicode.Scalar(plain)
    }
}

/// A set of names that are different if their bytes are: `String` takes a letter with its accent for the two scalars that look the same.
struct JSONNames {
    private var names: Set<String> = []
    private var others: Set<[UInt8]> = []

    /// - Returns: false if the name is in the set already.
    mutating func insert(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 < 0x80 } ? names.insert(name).inserted : others.insert(Array(name.utf8)).inserted
    }
}
