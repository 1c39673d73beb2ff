import BellerophonBase
import Foundation

/// The fields of a received JSON object. Each is read once; remaining fields are unknown.
struct RequestFields {
    private var fields: [String: JSONValue]
    private let data: Data

    /// - Throws: if the data is no JSON object, or a name is repeated, since parsers differ in which value they use.
    init(_ data: Data) throws(StoreError) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json: data)
        } catch {
            guard case .repeatedName(let name) = error.reason else { throw .invalid("the body is not JSON") }
            throw .invalid("the field \(Self.quoted(name)) is given twice", hint: "give it once")
        }
        guard case .object(let fields) = value else { throw .invalid("the body must be a JSON object, found \(value.typeName)") }
        (self.fields, self.data) = (fields, data)
    }

    mutating func text(_ name: String) throws(StoreError) -> String? { try value(name, "text", \.string) }

    mutating func number(_ name: String) throws(StoreError) -> Double? { try value(name, "a number", \.number) }

    private mutating func value<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(StoreError) -> Value? {
        guard let found = fields.removeValue(forKey: name), found != .null else { return nil }
        guard let value = read(found) else { throw .invalid("\(name) must be \(expected), found \(found.typeName)") }
        return value
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

    /// A value with the order of its members; nil for null too.
    mutating func node(_ name: String) throws(StoreError) -> JSONNode? {
        guard let value = fields.removeValue(forKey: name), value != .null else { return nil }
        return (try? JSONReader.read(data))?.members?[name]
    }

    func finish() throws(StoreError) {
        guard let unknown = fields.keys.sorted().first else { return }
        throw .invalid("the field \(Self.quoted(unknown)) is not known")
    }

    private static func quoted(_ name: String) -> String { JSONText.quoted(String(name.prefix(80))) }
}
