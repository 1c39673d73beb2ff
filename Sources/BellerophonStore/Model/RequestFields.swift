import BellerophonBase
import Foundation

/// The fields of a received JSON object. Each is read once; remaining fields are unknown.
struct RequestFields {
    private var fields: [String: JSONNode]

    /// - Throws: if the data is no JSON object, or a name is repeated, since parsers differ in which value they use.
    init(_ data: Data) throws(StoreError) {
        let object: JSONNode
        do throws(JSONSyntaxError) {
            object = try JSONReader.read(data)
        } catch {
            guard case .repeatedName(let name) = error.reason else { throw .invalid("the body is not JSON") }
            throw .invalid("the field \(Self.quoted(name)) is given twice", hint: "give it once")
        }
        guard let fields = object.members else { throw .invalid("the body must be a JSON object, found \(object.typeName)") }
        self.fields = fields
    }

    /// A value with the order of its members; nil for null too.
    mutating func node(_ name: String) -> JSONNode? {
        guard let node = fields.removeValue(forKey: name) else { return nil }
        if case .null = node.value { return nil }
        return node
    }

    mutating func text(_ name: String) throws(StoreError) -> String? {
        guard let node = node(name) else { return nil }
        guard let text = node.string else { throw .invalid("\(name) must be text, found \(node.typeName)") }
        return text
    }

    mutating func number(_ name: String) throws(StoreError) -> Double? {
        guard let node = node(name) else { return nil }
        guard case .number(let number, _) = node.value else { throw .invalid("\(name) must be a number, found \(node.typeName)") }
        return number
    }

    /// An integer that JSON represents exactly.
    mutating func integer(_ name: String) throws(StoreError) -> Int64? {
        guard let number = try number(name) else { return nil }
        guard let integer = Int64(exactly: number), abs(integer) <= ResourceVersion.versionLimit else {
            throw .invalid("\(name) must be a whole number, found \(number)")
        }
        return integer
    }

    /// A number of seconds, in whole milliseconds.
    mutating func duration(_ name: String) throws(StoreError) -> Duration? {
        guard let seconds = try number(name) else { return nil }
        guard (0...1e10).contains(seconds) else { throw .invalid("\(name) must be a number of seconds, found \(seconds)") }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    func finish() throws(StoreError) {
        guard let unknown = fields.keys.sorted().first else { return }
        throw .invalid("the field \(Self.quoted(unknown)) is not known")
    }

    private static func quoted(_ name: String) -> String { JSONText.quoted(String(name.prefix(80))) }
}
