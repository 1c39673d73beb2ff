import Foundation
import NIOHTTP1

/// A request's query. Unknown names are errors, so that a mistyped `dryRun` does not publish.
struct QueryFields: Sendable {
    private var fields: [String: String] = [:]

    init() {}

    /// - Throws: 400 with the name that is unknown or repeated.
    init(_ head: HTTPRequestHead, known: [String]) throws {
        let query = head.uri.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            guard known.contains(name) else {
                let list = known.joined(separator: ", ")
                throw HTTPError(400, "unknown query field \(HTTPError.quoted(name))", hint: "known are \(list)")
            }
            guard fields.updateValue(value.removingPercentEncoding ?? value, forKey: name) == nil else {
                throw HTTPError(400, "the query field \(name) is given twice", hint: "give it once")
            }
        }
    }

    func text(_ name: String) -> String? { fields[name] }

    func flag(_ name: String) throws -> Bool {
        switch fields[name] {
        case nil, "false": return false
        case "true": return true
        case let other?:
            throw HTTPError(400, "\(name): expected true or false, found \(HTTPError.quoted(other))", hint: "correct the query")
        }
    }

    func number(_ name: String) throws -> Int64? {
        guard let text = fields[name] else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw HTTPError(400, "\(name): expected a whole number, found \(HTTPError.quoted(text))", hint: "correct the query")
        }
        return number
    }
}
