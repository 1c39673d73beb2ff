package import Foundation

/// Why a text is no JSON, and where.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case unexpected
        case notUTF8
        case tooDeep
        /// A number that no `Double` holds.
        case hugeNumber
    }

    package var reason: Reason
    /// Counts from 1.
    package var line: Int

    package var description: String {
        switch reason {
        case .unexpected: "unexpected text in line \(line)"
        case .notUTF8: "the text is not UTF-8"
        case .tooDeep: "more than \(JSONParser.depthLimit) values inside each other in line \(line)"
        case .hugeNumber: "a number that is too large in line \(line)"
        }
    }
}

/// Reads JSON exactly as RFC 8259 defines it.
///
/// `JSONDecoder` takes commas too many, leading zeros and UTF-16, and hides that a name stands twice: what another
/// reader refuses or takes otherwise must not be taken here.
package struct JSONParser {
    /// Values inside values; deeper text is refused, so that no text can exhaust the stack.
    package static let depthLimit = 128

    private let bytes: [UInt8]
    private let takesHugeNumbers: Bool
    private var index = 0
    private var depth = 0
    /// The names that stand more than once in the outermost object, their escapes resolved.
    package private(set) var repeatedNames: Set<String> = []

    /// - Parameters:
    ///   - data: UTF-8; a byte order mark is passed over (RFC 8259, section 8.1).
    ///   - takesHugeNumbers: a number that no `Double` holds is infinite then, with its sign.
    package init(_ data: Data, takesHugeNumbers: Bool = false) throws(JSONSyntaxError) {
        guard String(validating: data, as: UTF8.self) != nil else { throw JSONSyntaxError(reason: .notUTF8, line: 1) }
        bytes = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
        self.takesHugeNumbers = takesHugeNumbers
    }

    /// The whole text as a value. Of a name that stands twice the last value is taken.
    package mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw problem() }
        return value
    }

    private func problem(_ reason: JSONSyntaxError.Reason = .unexpected) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, line: bytes[..<index].count { $0 == 0x0A } + 1)
    }

    private var present: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = present, JSONText.isSpace(byte) { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard present == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        guard depth < Self.depthLimit else { throw problem(.tooDeep) }
        depth += 1
        defer { depth -= 1 }
        switch present {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): return .number(try number())
        default: return try word()
        }
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONValue {
        for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw problem()
    }

    private mutating func object() throws(JSONSyntaxError) -> [String: JSONValue] {
        index += 1
        var fields: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return fields }
        repeat {
            skipSpace()
            guard present == UInt8(ascii: "\"") else { throw problem() }
            let name = try string()
            skipSpace()
            guard take(":") else { throw problem() }
            let known = fields.updateValue(try value(), forKey: name)
            if depth == 1, known != nil { repeatedNames.insert(name) }
            skipSpace()
        } while take(",")
        guard take("}") else { throw problem() }
        return fields
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return values }
        repeat {
            values.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw problem() }
        return values
    }
}

// MARK: Numbers and strings

extension JSONParser {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private mutating func number() throws(JSONSyntaxError) -> Double {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) ?? .infinity
        guard number.isFinite || takesHugeNumbers else { throw problem(.hugeNumber) }
        return number
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while let byte = present, Self.digits.contains(byte) { index += 1 }
        guard index > start else { throw problem() }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = present {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += UTF8.encode(try escape()) ?? UTF8.encodedReplacementCharacter
            case 0..<0x20: throw problem()
            default:
                text.append(byte)
                index += 1
            }
        }
        throw problem()
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        if let unit = JSONText.codeUnit(bytes, at: index) {
            index += 6
            if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
            guard unit < 0xDC00, let low = JSONText.codeUnit(bytes, at: index), (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(UInt32(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)))
            else { throw problem() }
            index += 6
            return scalar
        }
        guard index + 1 < bytes.count, let plain = JSONText.shortEscapes[bytes[index + 1]] else { throw problem() }
        index += 2
        return Unicode.Scalar(plain)
    }
}
