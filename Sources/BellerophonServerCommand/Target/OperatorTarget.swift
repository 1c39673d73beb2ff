import BellerophonServer
import BellerophonStore
import Foundation
import StatusModel

/// The target of an operator's command: a running server, or a store of this machine. Both have the same endpoints.
struct OperatorTarget: Sendable {
    private enum Way {
        /// The endpoints in this process.
        case store(Store, LocalEndpoints)
        case server(ServerTransport)
    }

    private let way: Way

    init(_ store: Store, author: Author) { way = .store(store, LocalEndpoints(store, author: author)) }
    init(_ server: ServerTransport) { way = .server(server) }

    /// A description for a person: `the store /srv/status`.
    var description: String {
        switch way {
        case .store(let store, _): "the store \(store.folder.path)"
        case .server(let server): "the server \(server.address)"
        }
    }

    /// Notes after a change that clients do not see it yet, for example because the person has selected the wrong store.
    /// Which servers a shared store has is not known.
    func noteDelay() async {
        guard case .store(let store, _) = way, !store.isShared, !ServerLock.isHeld(store.folder) else { return }
        Output.writeError(Output.line("no server runs on \(description); clients see this once one does, or after an export"))
    }

    // MARK: Statuses

    /// - Parameters:
    ///   - request: a repeated request with the same key is performed only once.
    ///   - createsApp: whether the app, or the channel, may be a new one.
    ///   - breaksGlass: whether one person publishes a kill that takes two.
    ///   - seen: the newest row that the person has seen, 0 for none: see ``newestRow(of:)``. If there is another one that
    ///     stops more programs, nothing is published. Nil publishes in any case.
    func publish(
        _ publication: Publication, request: RequestKey, createsApp: Bool, breaksGlass: Bool, follows seen: Int64?
    ) async throws -> JournalEntry {
        try await put(
            publication, request, createsApp, ["breakGlass": breaksGlass ? "true" : nil, "follows": seen.map(String.init)])
    }

    /// Proposes a status to a second person.
    func propose(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> Proposal {
        try await put(publication, request, createsApp, ["propose": "true"])
    }

    /// - Parameter fields: further fields of the query.
    private func put<Result: Decodable>(
        _ publication: Publication, _ request: RequestKey, _ createsApp: Bool, _ fields: [String: String?]
    ) async throws -> Result {
        let query = fields.merging(["new": createsApp ? "true" : nil, "replaces": publication.replaces.map(String.init)]) {
            first, _ in first
        }
        return try await ask(
            "PUT", publication.scope.statusPath, query, json: publication.json,
            change: OperatorChange(what: "the \(publication.action.rawValue)", key: request))
    }

    /// The document that publishing would produce.
    func preview(_ publication: Publication, createsApp: Bool, breaksGlass: Bool) async throws -> Data {
        let query = ["dryRun": "true", "new": createsApp ? "true" : nil, "breakGlass": breaksGlass ? "true" : nil]
        return try await send("PUT", publication.scope.statusPath, query, json: publication.json).body
    }

    /// The status of every scope with a publish, and of every app, including the default one.
    /// - Parameter app: only those of this app; nil for all.
    func statuses(of app: String?) async throws -> [StatusReport] {
        let now = Date()
        return try await served(["app": app]).map { status throws(StoreError) in try status.report(at: now) }
    }

    /// Nil if nothing was published for the app.
    func status(_ scope: Scope) async throws -> StatusReport? {
        // Everybody may read a status, and operators read more.
        if case .server(let server) = way, let report = try await server.publicStatus(scope) { return report }
        return try await served(scope)?.report(at: Date())
    }

    /// The newest row of a status; nil if there is none.
    func newestRow(of scope: Scope) async throws -> JournalEntry? { try await served(scope)?.newest }

    private func served(_ scope: Scope) async throws -> ServedStatus? {
        try await served(["app": scope.app, "channel": scope.channel]).first
    }

    private func served(_ query: [String: String?]) async throws -> [ServedStatus] {
        try await ask("GET", "/v1/statuses", query)
    }

    // MARK: Two persons

    /// The rule of two persons.
    func approvalRule() async throws -> ApprovalRule {
        try await ask("GET", "/v1/approval")
    }

    /// Proposes a change of the rule to a second person.
    func propose(_ rule: RuleChange, request: RequestKey) async throws -> Proposal {
        try await ask("PUT", "/v1/approval", json: rule.json, change: OperatorChange(what: "the proposal", key: request))
    }

    /// All proposals that can be approved, or the newest ones of any state; newest first.
    func proposals(openOnly: Bool) async throws -> [Proposal] {
        try await ask("GET", "/v1/proposals", ["all": openOnly ? nil : "true"])
    }

    func proposal(_ id: Int64) async throws -> Proposal {
        try await ask("GET", "/v1/proposals/\(id)")
    }

    func approve(_ id: Int64, request: RequestKey) async throws -> JournalEntry {
        try await ask("POST", "/v1/proposals/\(id)/approve", change: OperatorChange(what: "the approval", key: request))
    }

    func reject(_ id: Int64, reason: String?) async throws -> Proposal {
        try await ask(
            "POST", "/v1/proposals/\(id)/reject", ["reason": reason], change: OperatorChange(what: "the rejection"))
    }

    // MARK: Tokens

    /// All tokens, including revoked ones, by name.
    func tokens() async throws -> [TokenRecord] {
        try await ask("GET", "/v1/tokens")
    }

    func createToken(_ request: TokenRequest) async throws -> NewToken {
        try await ask(
            "POST", "/v1/tokens", json: request.json, change: OperatorChange(what: "the token", isRepeatable: false))
    }

    func revokeToken(_ name: String, reason: String?) async throws -> TokenRecord {
        let path = "/v1/tokens/\(try Scope(app: name).app)"
        return try await ask("DELETE", path, ["reason": reason], change: OperatorChange(what: "the revocation"))
    }

    func journal(_ filter: JournalFilter) async throws -> [JournalEntry] {
        let query = [
            "app": filter.app, "channel": filter.channel, "resource": filter.resource,
            "before": filter.before.map(String.init), "after": filter.after.map(String.init),
            "since": filter.since.map { String(Int64(($0.timeIntervalSince1970 * 1000).rounded())) },
            "limit": String(filter.limit),
        ]
        return try await ask("GET", "/v1/journal", query)
    }

    // MARK: Resources

    /// - Parameter name: the resource whose versions are returned, newest first; nil returns the newest version of each
    ///   resource.
    func resources(_ name: String?) async throws -> [ResourceVersion] {
        try await ask("GET", "/v1/resources", ["name": name])
    }

    /// Publishes a resource.
    func put(
        _ name: String, _ source: ResourceSource, reason: String?, key: RequestKey, dryRun: Bool
    ) async throws -> (resource: ResourceVersion, isNew: Bool) {
        let (path, query) = (try Self.path(of: name), ["dryRun": dryRun ? "true" : nil, "reason": reason])
        let change = dryRun ? nil : OperatorChange(what: "the upload", key: key, isRepeatable: false)
        let answer =
            switch source {
            case .external(let external):
                try await send(
                    "PUT", path, query, json: external.json, type: "application/vnd.bellerophon.external+json", change: change)
            case .file(let file, let fields):
                try await send(
                    "PUT", path, query.merging(fields) { $1 }, type: "application/octet-stream", file: file, change: change)
            }
        let resource = try StoreJSON.value(ResourceVersion.self, from: answer.body)
        // A dry run also gets 200; a resource without an author was never published.
        return (resource, answer.status == 201 || (dryRun && resource.who.isEmpty))
    }

    /// Publishes a resource's older bytes again.
    func rollback(_ name: String, _ body: RollbackBody, key: RequestKey, dryRun: Bool) async throws -> ResourceVersion {
        try await ask(
            "POST", try Self.path(of: name) + "/rollback", ["dryRun": dryRun ? "true" : nil], json: try StoreJSON.data(body),
            change: dryRun ? nil : OperatorChange(what: "the rollback", key: key, isRepeatable: false))
    }

    /// Removes versions of resources.
    /// - Parameters:
    ///   - name: the only resource; nil for all those that the query selects.
    ///   - query: which of their versions.
    func remove(_ name: String?, _ query: [String: String?], reason: String?, dryRun: Bool) async throws -> ResourceRemoval {
        try await ask(
            "DELETE", try name.map(Self.path) ?? "/v1/resources",
            query.merging(["dryRun": dryRun ? "true" : nil, "reason": reason]) { $1 },
            change: dryRun ? nil : OperatorChange(what: "the removal", isRepeatable: false))
    }

    /// The path of a resource. An invalid name could result in another path.
    private static func path(of name: String) throws -> String {
        try ResourceVersion.checkName(name)
        return "/v1/resources/\(name)"
    }

    /// Sends a request and reads the JSON of the reply.
    private func ask<Result: Decodable>(
        _ method: String, _ path: String, _ query: [String: String?] = [:], json: Data? = nil, change: OperatorChange? = nil
    ) async throws -> Result {
        try StoreJSON.value(Result.self, from: try await send(method, path, query, json: json, change: change).body)
    }

    private func send(
        _ method: String, _ path: String, _ query: [String: String?] = [:], json: Data? = nil,
        type: String = "application/json", file: URL? = nil, change: OperatorChange? = nil
    ) async throws -> HTTPAnswer {
        var fields: [(String, String)] = []
        if json != nil || file != nil { fields.append(("Content-Type", type)) }
        if let key = change?.key { fields.append(("Idempotency-Key", key.text)) }
        let items = query.sorted { $0.key < $1.key }.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) }
        }
        var target = URLComponents()
        target.path = path
        if !items.isEmpty { target.queryItems = items }
        // Many servers decode a plus sign as a space.
        let query = target.percentEncodedQuery.map { "?" + $0.replacing("+", with: "%2B") } ?? ""
        do {
            switch way {
            case .store(_, let endpoints):
                return try await endpoints.answer(method, target.percentEncodedPath + query, fields, json: json, file: file)
            case .server(let server):
                return try await server.answer(
                    method, target.percentEncodedPath + query, fields, json: json, file: file, change)
            }
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as HTTPError {
            throw CommandError(error)
        }
    }
}

/// What a request changes.
struct OperatorChange: Sendable {
    /// Such as "the kill".
    let what: String
    /// Names the request, which is then carried out once however often it is sent.
    var key: RequestKey?
    /// Whether the request may be sent again after it got no response. If not, the person decides, and is told what may have happened.
    var isRepeatable = true
}

/// The bytes of a resource that is published, or where they are.
enum ResourceSource: Sendable {
    /// A file, and what is asked of it: its version and digests, as fields of the query.
    case file(URL, [String: String?])
    case external(ExternalResource)
}
