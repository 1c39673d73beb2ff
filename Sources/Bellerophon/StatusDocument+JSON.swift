public import Foundation

extension StatusDocument {
    /// What is wrong with a document, by field.
    public enum JSONProblem: Error, Equatable, Sendable, CustomStringConvertible {
        case empty
        /// Not JSON at all; the text says what the body looks like.
        case notJSON(String)
        case notObject(found: String)
        case missing(field: String)
        case wrongType(field: String, expected: String, found: String)

        public var description: String {
            switch self {
            case .empty: "the body is empty"
            case .notJSON(let looks): "the body is \(looks), not JSON"
            case .notObject(let found): "expected a JSON object, found \(found)"
            case .missing(let field): "the field \"\(field)\" is missing"
            case .wrongType(let field, let expected, let found): "\"\(field)\" must be \(expected), found \(found)"
            }
        }
    }

    /// Reads the four-field JSON of the original.
    ///
    /// A field that is missing or of another type is an error, but for `userMessage`, `requiredVersion` and
    /// `updateURL`: a fault in one of those must not lose a kill, so the rest is kept and the fault is a remark.
    public init(json data: Data) throws(JSONProblem) {
        let (fields, wasMended) = try Self.fields(of: data)
        var remarks = wasMended ? ["the document held broken text, which was mended"] : []
        let message = Self.text("userMessage", in: fields, &remarks)
        let version = Self.text("requiredVersion", in: fields, &remarks)
        var link = Self.text("updateURL", in: fields, &remarks)
        if let address = link, Self.webAddress(address) == nil {
            remarks.append("\"updateURL\" is no http or https address; it was left out")
            link = nil
        }
        self.init(
            isInactive: try Self.flag("apiInactive", in: fields), requiresUpdate: try Self.flag("forceUpdate", in: fields),
            interval: try Self.seconds("retryInterval", in: fields), message: message, requiredVersion: version,
            link: link, remarks: remarks
        )
    }

    private static func fields(of data: Data) throws(JSONProblem) -> (fields: [String: JSONValue], wasMended: Bool) {
        let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        guard body.contains(where: { !JSONText.isSpace($0) }) else { throw .empty }
        if let value = JSONValue(parsing: Data(body)) { return (try object(value), false) }
        let mended = JSONText.mended(Data(body))
        if let value = JSONValue(parsing: mended, takesHugeNumbers: true) {
            return (try object(value), mended != Data(body))
        }
        throw .notJSON(JSONText.appearance(of: Data(body)))
    }

    private static func object(_ value: JSONValue) throws(JSONProblem) -> [String: JSONValue] {
        guard case .object(let fields) = value else { throw .notObject(found: value.typeName) }
        return fields
    }

    private static func flag(_ name: String, in fields: [String: JSONValue]) throws(JSONProblem) -> Bool {
        guard let value = fields[name] else { throw .missing(field: name) }
        guard case .bool(let flag) = value else {
            throw .wrongType(field: name, expected: "true or false", found: value.typeName)
        }
        return flag
    }

    private static func seconds(_ name: String, in fields: [String: JSONValue]) throws(JSONProblem) -> Double {
        guard let value = fields[name] else { throw .missing(field: name) }
        guard case .number(let seconds) = value else {
            throw .wrongType(field: name, expected: "a number of seconds", found: value.typeName)
        }
        return seconds
    }

    private static func text(_ name: String, in fields: [String: JSONValue], _ remarks: inout [String]) -> String? {
        switch fields[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case let value?:
            remarks.append("\"\(name)\" must be text, found \(value.typeName); it was left out")
            return nil
        }
    }
}
