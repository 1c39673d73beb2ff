#if Server
import Foundation

/// A request to create a token.
package struct TokenRequest: Equatable, Sendable {
    package let name: String
    package let scopes: [TokenScope]
    /// See ``TokenRecord/quota``.
    package let quota: Int64?
    /// One of ``Store/tokenLifetimes``; nil for a token that does not expire.
    package let expiresAfter: Duration?

    package init(name: String, scopes: [TokenScope], quota: Int64? = nil, expiresAfter: Duration? = nil) {
        self.name = name
        self.scopes = scopes
        self.quota = quota
        self.expiresAfter = expiresAfter
    }

    /// Parses a request's body. Unknown fields are errors.
    ///
    /// ```json
    /// {"name": "ci", "scopes": "statuses:notes,read", "expiresAfter": 7776000, "quota": 500000000}
    /// ```
    package init(json: Data) throws(StoreError) {
        var fields = try RequestFields(json)
        guard let name = try fields.text("name") else { throw .invalid("name is missing") }
        guard let scopes = try fields.text("scopes") else {
            throw .invalid("scopes is missing", hint: "expected one or more, separated by commas: \(TokenScope.forms)")
        }
        let seconds = try fields.number("expiresAfter")
        if let seconds, !(seconds >= 1 && seconds <= 1e10) {
            throw .invalid("expiresAfter must be a number of seconds, found \(seconds)")
        }
        self.init(
            name: name, scopes: try TokenScope.list(scopes), quota: try fields.integer("quota"),
            expiresAfter: seconds.map { .milliseconds(Int64($0 * 1000)) })
        try fields.finish()
    }

    /// The body of a request to create this token.
    package var json: Data {
        get throws(StoreError) {
            try StoreJSON.data(
                Body(
                    name: name, scopes: scopes.map(\.description).joined(separator: ","), quota: quota,
                    expiresAfter: expiresAfter.map { Double($0.milliseconds) / 1000 }))
        }
    }

    private struct Body: Encodable {
        let name: String
        let scopes: String
        let quota: Int64?
        let expiresAfter: Double?
    }
}

/// A new token, which is shown only once.
package struct NewToken: Codable, Equatable, Sendable {
    package let token: String
    package let record: TokenRecord
}
#endif
