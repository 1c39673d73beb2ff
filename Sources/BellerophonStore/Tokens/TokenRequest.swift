import BellerophonBase
import Foundation

/// A request to create a token.
package struct TokenRequest: Equatable, Sendable {
    package let name: String
    /// Whom the token is for, in the form of a name; nil for the token's own name. A person counts once where two are needed,
    /// whatever tokens they have: see ``ApprovalRule``.
    package let person: String?
    package let scopes: [TokenScope]
    /// See ``TokenRecord/quota``; nil for that of the token that makes this one.
    package var quota: Int64?
    /// One of ``Store/tokenLifetimes``; nil for a token that does not expire, or not before the token that makes it.
    package let expiresAfter: Duration?

    package init(
        name: String, person: String? = nil, scopes: [TokenScope], quota: Int64? = nil, expiresAfter: Duration? = nil
    ) {
        self.name = name
        self.person = person
        self.scopes = scopes
        self.quota = quota
        self.expiresAfter = expiresAfter
    }

    /// Parses a request's body. Unknown fields are errors.
    ///
    /// ```json
    /// {"name": "ci", "person": "ada", "scopes": "statuses:notes,read", "expiresAfter": 7776000, "quota": 500000000}
    /// ```
    package init(json: Data) throws(StoreError) {
        var fields = try RequestFields(json)
        guard let name = try fields.text("name") else { throw .invalid("name is missing") }
        guard let scopes = try fields.text("scopes") else {
            throw .invalid("scopes is missing", hint: "expected one or more, separated by commas: \(TokenScope.forms)")
        }
        self.init(
            name: name, person: try fields.text("person"), scopes: try TokenScope.list(scopes),
            quota: try fields.integer("quota"), expiresAfter: try fields.duration("expiresAfter"))
        try fields.finish()
    }

    /// When the token will end; nil if it does not say so.
    func end(at now: Date) -> Date? { expiresAfter.map { Date(milliseconds: now.milliseconds + $0.milliseconds) } }

    /// The body of a request to create this token.
    package var json: Data {
        JSONNode.object([
            ("name", .text(name)), ("person", person.map(JSONNode.text)),
            ("scopes", .text(scopes.map(\.description).joined(separator: ","))), ("quota", quota.map { .number($0) }),
            ("expiresAfter", expiresAfter.map { .number(Double($0.milliseconds) / 1000) }),
        ]).data
    }
}

/// A new token, which is shown only once.
package struct NewToken: Codable, Equatable, Sendable {
    package let token: String
    package let record: TokenRecord
}
