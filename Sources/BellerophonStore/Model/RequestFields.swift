#if Server
import Bellerophon
import Foundation

/// The fields of a JSON object that somebody sent, each taken once; what is left over is not known.
struct RequestFields {
    private var fields: [String: JSONValue]

    /// - Throws: where it is no object, and where a name stands twice: readers differ in which of the two they take.
    init(_ data: Data) throws(StoreError) {
        do throws(JSONMemberProblem) {
            fields = try JSONValue.members(of: data)
        } catch {
            switch error {
            case .notJSON: throw .invalid("the body is not JSON")
            case .notObject(let found): throw .invalid("the body must be a JSON object, found \(found)")
            case .repeated(let name): throw .invalid("the field \(Self.quoted(name)) is given twice", hint: "give it once")
            }
        }
    }

    mutating func text(_ name: String) throws(StoreError) -> String? {
        switch fields.removeValue(forKey: name) {
        case nil, .null: return nil
        case .string(let text): return text
        case let value?: throw .invalid("\(name) must be text, found \(value.typeName)")
        }
    }

    mutating func number(_ name: String) throws(StoreError) -> Double? {
        switch fields.removeValue(forKey: name) {
        case nil, .null: return nil
        case .number(let number): return number
        case let value?: throw .invalid("\(name) must be a number, found \(value.typeName)")
        }
    }

    /// A whole number that JSON carries exactly.
    mutating func integer(_ name: String) throws(StoreError) -> Int64? {
        guard let number = try number(name) else { return nil }
        guard let integer = Int64(exactly: number), abs(integer) <= ResourceVersion.versionLimit else {
            throw .invalid("\(name) must be a whole number, found \(number)")
        }
        return integer
    }

    func finish() throws(StoreError) {
        guard let unknown = fields.keys.sorted().first else { return }
        throw .invalid("the field \(Self.quoted(unknown)) is not known")
    }

    private static func quoted(_ name: String) -> String { StoreJSON.quoted(String(name.prefix(80))) }
}

/// A JSON object whose members stand in the order in which they were appended, without spaces.
struct JSONObjectText {
    private var members: [String] = []

    mutating func append(_ name: String, json: String?) {
        guard let json else { return }
        members.append(StoreJSON.quoted(name) + ":" + json)
    }

    mutating func append(_ name: String, text: String?) {
        append(name, json: text.map(StoreJSON.quoted))
    }

    /// A finite number, without a fraction where it is whole.
    static func number(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    var text: String { "{" + members.joined(separator: ",") + "}" }
    var data: Data { Data(text.utf8) }
}
#endif
