import BellerophonBase
public import Foundation

extension StatusDocument {
    /// Why a document is invalid.
    public enum JSONError: Error, Equatable, Sendable, CustomStringConvertible {
        /// The body is empty or contains only white space.
        case empty
        /// The body is not JSON; the value describes what it looks like.
        case notJSON(String)
        /// The JSON value is not an object; the value names its type.
        case notObject(found: String)
        /// A required field is missing.
        case missing(field: String)
        /// A required field has a value of the wrong type.
        case wrongType(field: String, expected: String, found: String)
        /// A field that decides the stage occurs twice. Readers differ in which one they use (RFC 8259, section 4).
        case repeated(field: String)
        /// The encoding is not UTF-8 (RFC 8259, section 8.1); the value names it.
        case wrongEncoding(String)
        /// The JSON is nested deeper than the limit.
        case tooDeep(limit: Int)

        /// One line that describes the problem.
        public var description: String {
            switch self {
            case .empty: "the body is empty"
            case .notJSON(let looks): "the body is \(looks), not JSON"
            case .notObject(let found): "expected a JSON object, found \(found)"
            case .missing(let field): "the field \"\(field)\" is missing"
            case .wrongType(let field, let expected, let found): "\"\(field)\" must be \(expected), found \(found)"
            case .repeated(let field): "the field \"\(field)\" appears twice; programs disagree about which one counts"
            case .wrongEncoding(let name): "the body is \(name); JSON is sent as UTF-8"
            case .tooDeep(let limit): "the body has more than \(limit) values inside each other"
            }
        }
    }

    /// Reads the JSON format of the original.
    ///
    /// A required field that is missing, of the wrong type or repeated is an error. Problems in optional fields become
    /// ``remarks``, because they must not invalidate a kill.
    /// - Throws: ``JSONError``.
    public init(json data: Data) throws(JSONError) {
        let body = try Body(data)
        var remarks = body.wasRepaired ? ["the document held broken text, which was mended"] : []
        var facts = StatusFacts()
        for field in StatusField.allCases { facts[field] = body.value(of: field, &remarks) }
        let (isInactive, requiresUpdate) = (try body.flag("apiInactive"), try body.flag("forceUpdate"))
        let interval = try body.seconds("retryInterval")
        let plan = body.plan(of: data, &remarks)
        self.init(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: interval, facts: facts, plan: plan, remarks: remarks
        )
    }
}

/// The fields of a body, and what was wrong with them.
private struct Body {
    typealias JSONError = StatusDocument.JSONError

    private let fields: [String: JSONNode]
    private let repeatedNames: Set<String>
    /// Whether broken text was replaced.
    let wasRepaired: Bool

    init(_ data: Data) throws(JSONError) {
        if let name = StatusDocument.foreignEncoding(of: data) { throw .wrongEncoding(name) }
        let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        guard body.contains(where: { !JSONText.isSpace($0) }) else { throw .empty }
        let (node, wasRepaired) = try Self.read(body)
        guard let fields = node.members else { throw .notObject(found: node.typeName) }
        self.fields = fields
        repeatedNames = node.repeatedNames
        self.wasRepaired = wasRepaired
    }

    /// Reads the body unchanged, or else with its broken text replaced.
    private static func read(_ body: Data) throws(JSONError) -> (node: JSONNode, wasRepaired: Bool) {
        // One byte order mark was skipped already.
        let options: JSONReader.Options = [.acceptsHugeNumbers, .acceptsRepeatedNames, .refusesByteOrderMark]
        for wasRepaired in [false, true] {
            let data = wasRepaired ? JSONText.repaired(body) : body
            do throws(JSONSyntaxError) {
                return (try JSONReader.read(data, options), wasRepaired)
            } catch {
                if case .tooDeep(let limit) = error.reason { throw .tooDeep(limit: limit) }
            }
        }
        throw .notJSON(StatusDocument.appearance(of: body))
    }

    /// The value of a field that decides the stage.
    private func critical(_ name: String) throws(JSONError) -> JSONNode {
        guard let value = fields[name] else { throw .missing(field: name) }
        guard !repeatedNames.contains(name) else { throw .repeated(field: name) }
        return value
    }

    func flag(_ name: String) throws(JSONError) -> Bool {
        let value = try critical(name)
        guard case .bool(let flag) = value.value else {
            throw .wrongType(field: name, expected: "true or false", found: value.typeName)
        }
        return flag
    }

    func seconds(_ name: String) throws(JSONError) -> Double {
        let value = try critical(name)
        guard case .number(let seconds, _) = value.value else {
            throw .wrongType(field: name, expected: "a number of seconds", found: value.typeName)
        }
        return seconds
    }

    func plan(of data: Data, _ remarks: inout [String]) -> StatusPlan? {
        StatusPlan(fields, repeated: repeatedNames, data: data, &remarks)
    }

    func value(of field: StatusField, _ remarks: inout [String]) -> String? {
        let name = field.documentName
        guard let text = text(name, &remarks) else { return nil }
        guard field.cleaned(text) == nil else { return text }
        switch field.form {
        case .webAddress: remarks.append("\"\(name)\" is not an http or https address; it was ignored")
        case .line(let limit) where text.contains(where: { !$0.isWhitespace }):
            remarks.append("\"\(name)\" has more than \(limit) bytes, or characters that can't be shown; it was ignored")
        case .line, .paragraphs: break
        }
        return nil
    }

    private func text(_ name: String, _ remarks: inout [String]) -> String? {
        guard !repeatedNames.contains(name) else {
            remarks.append("\"\(name)\" appears twice; it was ignored")
            return nil
        }
        guard let node = fields[name] else { return nil }
        switch node.value {
        case .null: return nil
        case .string(let text): return text
        default:
            remarks.append("\"\(name)\" must be text, found \(node.typeName); it was ignored")
            return nil
        }
    }
}
