import BellerophonBase

/// What a token allows: `publish`, `statuses`, `statuses:APP`, `statuses:APP/CHANNEL`, `rules` with the same forms, `resources`, `tokens`,
/// `read` or `read:APP`.
///
/// Every scope allows reading too. A scope with an app allows reading what belongs to that app.
package struct TokenScope: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Publishing statuses and resources.
        case publish
        /// Publishing statuses, of all apps or of one.
        case statuses
        /// Changing rules, of all apps or of one, as long as that does not change when everybody is covered.
        case rules
        /// Publishing resources.
        case resources
        /// Creating and revoking tokens over the network.
        case tokens
        /// Reading only.
        case read
    }

    package let kind: Kind
    /// Nil for all apps.
    package private(set) var app: String?
    /// Nil for all channels.
    package private(set) var channel: String?

    package static let publish = TokenScope(kind: .publish)
    package static let statuses = TokenScope(kind: .statuses)
    package static let resources = TokenScope(kind: .resources)
    package static let tokens = TokenScope(kind: .tokens)
    package static let read = TokenScope(kind: .read)

    /// Publishing a status, or deciding on a proposal of one.
    package static func statuses(_ scope: Scope) -> TokenScope {
        TokenScope(kind: .statuses, app: scope.app, channel: scope.channel)
    }

    /// Changing rules of a scope without a change of when everybody is covered.
    package static func rules(_ scope: Scope) -> TokenScope { TokenScope(kind: .rules, app: scope.app, channel: scope.channel) }

    /// The forms, for a person.
    package static let forms =
        "publish, statuses, statuses:APP, statuses:APP/CHANNEL, rules, rules:APP, rules:APP/CHANNEL, resources, tokens, read or read:APP"
}

extension TokenScope: CustomStringConvertible, Codable {
    package init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: String(parts[0])) else { throw Self.unknown(text) }
        guard parts.count == 2 else {
            self.init(kind: kind)
            return
        }
        let names = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let most = kind == .statuses || kind == .rules ? 2 : kind == .read ? 1 : 0
        guard names.count <= most else { throw Self.unknown(text) }
        let scope = try Scope(app: names[0], channel: names.count == 2 ? names[1] : Scope.mainChannel)
        self.init(kind: kind, app: scope.app, channel: names.count == 2 ? scope.channel : nil)
    }

    private static func unknown(_ text: String) -> StoreError {
        .invalid("\(JSONText.quoted(String(text.prefix(150)))) is not a token scope", hint: "expected \(forms)")
    }

    /// Several scopes, separated by commas.
    package static func list(_ text: String) throws(StoreError) -> [TokenScope] {
        var scopes: [TokenScope] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let scope = try TokenScope(String(part))
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }

    /// The scopes as stored. A scope of a newer version is left out, so that it allows nothing.
    static func stored(_ text: String) -> [TokenScope] {
        text.split(separator: ",").compactMap { part in try? TokenScope(String(part)) }
    }

    /// Whether this scope permits an action.
    /// - Parameter needed: the least scope with which a token may do it. Every token may read; ``TokenRecord/readableApps`` says what.
    package func allows(_ needed: TokenScope) -> Bool { needed == .read || includes(needed) }

    /// Whether this scope permits publishing for at least one whole app. The channel `main` is the app itself.
    var coversApp: Bool { kind == .publish || kind == .statuses && (channel ?? Scope.mainChannel) == Scope.mainChannel }

    /// Whether this scope permits all that another one does.
    func includes(_ other: TokenScope) -> Bool {
        switch other.kind {
        case .publish: kind == .publish
        case .resources: kind == .publish || kind == .resources
        case .tokens: kind == .tokens
        case .read: app == nil || app == other.app
        case .statuses, .rules:
            kind == .publish
                || (kind == .statuses || kind == other.kind) && (app == nil || app == other.app)
                    && (channel == nil || channel == other.channel)
        }
    }

    package var description: String {
        kind.rawValue + (app.map { ":\($0)" } ?? "") + (channel.map { "/\($0)" } ?? "")
    }

    package init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
