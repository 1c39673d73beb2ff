import BellerophonBase
import Foundation

/// The body of a rollback: `{"version":3,"reason":"…"}`. Both fields and the body itself are optional.
struct RollbackRequest: Equatable {
    /// The version to restore; nil for the one before the newest.
    private(set) var version: Int64?
    private(set) var reason: String?

    /// - Throws: 400 with the field that is invalid or unknown.
    init(json data: Data) throws {
        guard !data.isEmpty else { return }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json: data)
        } catch {
            if case .repeatedName(let name) = error.reason {
                throw HTTPError(400, "the field \(HTTPError.quoted(name)) is given twice", hint: "give it once")
            }
            throw Self.notObject
        }
        guard case .object(let fields) = value else { throw Self.notObject }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { try read(name, value) }
    }

    private mutating func read(_ name: String, _ value: JSONValue) throws {
        switch (name, value) {
        case (_, .null) where name == "version" || name == "reason": break
        case ("version", .number(let number)):
            guard let whole = Int64(exactly: number), whole >= 0 else { throw Self.wrong(name, "a whole number") }
            version = whole
        case ("version", _): throw Self.wrong(name, "a whole number")
        case ("reason", .string(let text)): reason = text
        case ("reason", _): throw Self.wrong(name, "text")
        default: throw HTTPError(400, "unknown field \(HTTPError.quoted(name))", hint: "known are version and reason")
        }
    }

    private static let notObject = HTTPError(
        400, "the body is not a JSON object", hint: "send {\"version\":3,\"reason\":\"…\"}, or nothing"
    )

    private static func wrong(_ name: String, _ expected: String) -> HTTPError {
        HTTPError(400, "\(name): expected \(expected)", hint: "correct the body and send it again")
    }
}
