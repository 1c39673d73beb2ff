import BellerophonBase
import BellerophonServer
import BellerophonStore
import Digests
import Foundation
import HTTPTransport
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A running server, over HTTP.
struct ServerTarget: OperatorTarget {
    private let base: String
    private let token: String?
    private let requests: ServerRequests

    /// - Parameters:
    ///   - address: an http or https address, optionally with a path to which the server's paths are appended.
    ///   - limit: the time limit for all attempts of a request together.
    init(_ address: String, token: String?, limit: Duration) throws {
        requests = ServerRequests(client: HTTPClient(), limit: limit)
        guard StatusDocument.webAddress(address) != nil, let parts = URLComponents(string: address),
            parts.query == nil, parts.fragment == nil
        else {
            let shown = AddressText.withoutPassword(address)
            throw CommandError.usage(
                "--server: expected an http or https address such as https://status.example.com, found \(JSONText.quoted(shown))"
            )
        }
        base = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.token = token
        if token != nil, parts.scheme?.lowercased() == "http", parts.url?.isLoopback != true {
            Output.note("bellerophon-server: the token goes to \(Output.line(parts.host ?? "")) unencrypted; use https")
        }
    }

    var description: String { "the server \(AddressText.withoutPassword(base))" }
    var delay: String? { nil }

    func publish(
        _ publication: Publication, request: RequestKey, createsApp: Bool, breaksGlass: Bool, follows seen: Int64?
    ) async throws -> JournalEntry {
        let answer = try await put(
            publication, request, createsApp, ["breakGlass": breaksGlass ? "true" : nil, "follows": seen.map(String.init)])
        return try StoreJSON.value(JournalEntry.self, from: answer.body)
    }

    func propose(_ publication: Publication, request: RequestKey, createsApp: Bool) async throws -> Proposal {
        try StoreJSON.value(Proposal.self, from: try await put(publication, request, createsApp, ["propose": "true"]).body)
    }

    /// - Parameter fields: further fields of the query.
    private func put(
        _ publication: Publication, _ request: RequestKey, _ createsApp: Bool, _ fields: [String: String?]
    ) async throws -> HTTPAnswer {
        let query = fields.merging(["new": createsApp ? "true" : nil, "replaces": publication.replaces.map(String.init)]) {
            first, _ in first
        }
        let answer = try await send(
            "PUT", publication.scope.statusPath, query, json: publication.json,
            change: Change("the \(publication.action.rawValue)", .safe, key: request))
        warnOfClock(answer)
        return answer
    }

    func approvalRule() async throws -> ApprovalRule {
        try StoreJSON.value(ApprovalRule.self, from: try await send("GET", "/v1/approval").body)
    }

    func propose(_ rule: RuleRequest, request: RequestKey) async throws -> Proposal {
        let answer = try await send(
            "PUT", "/v1/approval", json: try rule.json, change: Change("the proposal", .safe, key: request))
        return try StoreJSON.value(Proposal.self, from: answer.body)
    }

    func proposals(openOnly: Bool) async throws -> [Proposal] {
        let query = ["all": openOnly ? nil : "true"]
        return try StoreJSON.value([Proposal].self, from: try await send("GET", "/v1/proposals", query).body)
    }

    func proposal(_ id: Int64) async throws -> Proposal {
        try StoreJSON.value(Proposal.self, from: try await send("GET", "/v1/proposals/\(id)").body)
    }

    func approve(_ id: Int64, request: RequestKey) async throws -> JournalEntry {
        let answer = try await send(
            "POST", "/v1/proposals/\(id)/approve", change: Change("the approval", .safe, key: request))
        warnOfClock(answer)
        return try StoreJSON.value(JournalEntry.self, from: answer.body)
    }

    func reject(_ id: Int64, reason: String?) async throws -> Proposal {
        let answer = try await send(
            "POST", "/v1/proposals/\(id)/reject", ["reason": reason], change: Change("the rejection", .safe))
        return try StoreJSON.value(Proposal.self, from: answer.body)
    }

    func tokens() async throws -> [TokenRecord] {
        try StoreJSON.value([TokenRecord].self, from: try await send("GET", "/v1/tokens").body)
    }

    func createToken(_ request: TokenRequest) async throws -> NewToken {
        let answer = try await send("POST", "/v1/tokens", json: try request.json, change: Change("the token", .unsafe))
        return try StoreJSON.value(NewToken.self, from: answer.body)
    }

    func revokeToken(_ name: String, reason: String?) async throws -> TokenRecord {
        let path = "/v1/tokens/\(try Scope(app: name).app)"
        let answer = try await send("DELETE", path, ["reason": reason], change: Change("the revocation", .safe))
        return try StoreJSON.value(TokenRecord.self, from: answer.body)
    }

    func preview(_ publication: Publication, createsApp: Bool, breaksGlass: Bool) async throws -> Data {
        let query = ["dryRun": "true", "new": createsApp ? "true" : nil, "breakGlass": breaksGlass ? "true" : nil]
        return try await send("PUT", publication.scope.statusPath, query, json: publication.json).body
    }

    func statuses(of app: String?) async throws -> [StatusReport] {
        var reports: [StatusReport] = []
        for scope in try StoreJSON.value([Scope].self, from: try await send("GET", "/v1/scopes").body)
        where app == nil || scope.app == app {
            if let report = try await status(scope) { reports.append(report) }
        }
        return reports
    }

    func status(_ scope: Scope) async throws -> StatusReport? {
        let answer: HTTPAnswer
        do {
            answer = try await send("GET", scope.statusPath)
        } catch let failure as CommandError where failure.exitCode == SystemExit.noInput {
            return nil
        }
        let published = answer.headers["bellerophon-published"].flatMap { Int64($0) }
        let since = published.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        return StatusReport(
            scope, document: answer.body, since: since, entry: try await entry(of: scope, answer.body), at: Date())
    }

    func journal(_ filter: JournalFilter) async throws -> [JournalEntry] {
        let query = [
            "app": filter.app, "channel": filter.channel, "resource": filter.resource,
            "before": filter.before.map(String.init), "after": filter.after.map(String.init),
            "since": filter.since.map { String(Int64(($0.timeIntervalSince1970 * 1000).rounded())) },
            "limit": String(filter.limit),
        ]
        return try StoreJSON.value([JournalEntry].self, from: try await send("GET", "/v1/journal", query).body)
    }

    func resources(_ name: String?) async throws -> [ResourceVersion] {
        try StoreJSON.value([ResourceVersion].self, from: try await send("GET", "/v1/resources", ["name": name]).body)
    }

    func put(_ request: ResourceRequest) async throws -> ResourcePut {
        let path = try Self.path(of: request.name)
        var query: [String: String?] = ["dryRun": request.dryRun ? "true" : nil, "reason": request.reason]
        let change = request.dryRun ? nil : Change("the upload", .unsafe, key: request.key)
        let answer: HTTPAnswer
        switch request.source {
        case .external(let external):
            answer = try await send(
                "PUT", path, query, json: external.json, type: "application/vnd.bellerophon.external+json", change: change
            )
        case .file(let file):
            query["version"] = request.version.map(String.init)
            for digest in request.expected { query[digest.kind.rawValue] = digest.hex }
            answer = try await send("PUT", path, query, type: "application/octet-stream", file: file, change: change)
        }
        let resource = try StoreJSON.value(ResourceVersion.self, from: answer.body)
        // A dry run also gets 200; a resource without an author was never published.
        return ResourcePut(resource: resource, isNew: answer.status == 201 || (request.dryRun && resource.who.isEmpty))
    }

    func rollback(_ request: RollbackRequest) async throws -> ResourceVersion {
        let body = try StoreJSON.data(
            ["version": request.version.map { Field.number($0) }, "reason": request.reason.map { .text($0) }].compactMapValues {
                $0
            })
        let path = try Self.path(of: request.name) + "/rollback"
        let answer = try await send(
            "POST", path, ["dryRun": request.dryRun ? "true" : nil], json: body,
            change: request.dryRun ? nil : Change("the rollback", .unsafe, key: request.key)
        )
        return try StoreJSON.value(ResourceVersion.self, from: answer.body)
    }

    func remove(_ request: RemovalRequest) async throws -> ResourceRemoval {
        var query: [String: String?] = ["dryRun": request.dryRun ? "true" : nil, "reason": request.reason]
        let path: String
        switch request.what {
        case .delete(let name, let version):
            path = try Self.path(of: name)
            query["version"] = version.map(String.init)
        case .prune(let name, let kept):
            path = "/v1/resources"
            query["name"] = name
            query["keep"] = String(kept)
        }
        let answer = try await send("DELETE", path, query, change: request.dryRun ? nil : Change("the removal", .unsafe))
        return try StoreJSON.value(ResourceRemoval.self, from: answer.body)
    }
}

extension ServerTarget {
    /// A member of a request's JSON object.
    private enum Field: Encodable {
        case number(Int64)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// The journal's row of a scope's status; nil without a token, or if the journal has changed in the meantime.
    private func entry(of scope: Scope, _ document: Data) async throws -> JournalEntry? {
        guard token != nil else { return nil }
        let own = try await newestRow(of: scope)
        let app = scope.isMain ? own : try await newestRow(of: scope.wholeApp)
        let status = PublishedStatus(scope, own: scope.isMain ? nil : own, app: app)
        return status.body == document ? status.entry : nil
    }

    /// The newest row of a status, and not of a proposal; nil if there is none.
    func newestRow(of scope: Scope) async throws -> JournalEntry? {
        var filter = JournalFilter(app: scope.app, channel: scope.channel, limit: 10)
        while true {
            let rows = try await journal(filter)
            if let row = rows.first(where: { $0.scope == scope }) { return row }
            guard rows.count == filter.limit else { return nil }
            filter.before = rows.last?.id
        }
    }

    /// The path of a resource. An invalid name could result in another path.
    private static func path(of name: String) throws -> String {
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#%\\".utf8.contains($0) }), !name.isEmpty, !name.hasPrefix(".")
        else {
            throw CommandError.usage("\(JSONText.quoted(name)) is not a valid name of a resource")
        }
        return "/v1/resources/\(name)"
    }

    /// What a request changes, and whether it may be repeated.
    private struct Change {
        let what: String
        let repetition: ServerRequests.Repetition
        let key: RequestKey?

        init(_ what: String, _ repetition: ServerRequests.Repetition, key: RequestKey? = nil) {
            self.what = what
            self.repetition = repetition
            self.key = key
        }
    }

    private func send(
        _ method: String, _ path: String, _ query: [String: String?] = [:], json: Data? = nil,
        type: String = "application/json", file: URL? = nil, change: Change? = nil
    ) async throws -> HTTPAnswer {
        var request = URLRequest(url: try url(path, query))
        request.httpMethod = method
        request.httpBody = json
        if json != nil || file != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let key = change?.key { request.setValue(key.text, forHTTPHeaderField: "Idempotency-Key") }
        let answer = try await requests.send(
            request, file: file, change?.repetition ?? .safe, key: change?.key, changes: change?.what
        )
        guard (200..<300).contains(answer.status) else { throw failure(answer) }
        return answer
    }

    /// Warns if the server's clock is wrong, since it dates the statuses.
    private func warnOfClock(_ answer: HTTPAnswer) {
        guard let lead = answer.clockLead(at: Date()), abs(lead) > 60 else { return }
        let amount = DurationText.text(.seconds(abs(lead).rounded()))
        Output.note(
            "bellerophon-server: the server's clock is \(amount) \(lead > 0 ? "ahead of" : "behind") this machine's; check both")
    }

    private func url(_ path: String, _ query: [String: String?]) throws -> URL {
        var parts = URLComponents(string: base + path)
        let items = query.sorted { $0.key < $1.key }
            .compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !items.isEmpty { parts?.queryItems = items }
        // Many servers decode a plus sign as a space.
        let encoded = parts?.percentEncodedQuery?.replacing("+", with: "%2B")
        parts?.percentEncodedQuery = encoded
        guard let url = parts?.url else { throw CommandError.usage("--server: \(JSONText.quoted(base)) is no address") }
        return url
    }

    /// The server's error with its hint.
    private func failure(_ answer: HTTPAnswer) -> CommandError {
        /// RFC 9457.
        struct Problem: Decodable {
            let type: String?
            let detail: String
            let hint: String?
        }
        let code = SystemExit.code(ofHTTP: answer.status)
        if let problem = try? JSONDecoder().decode(Problem.self, from: answer.body) {
            var error = CommandError(problem.detail, hint: problem.hint ?? hint(answer.status), exitCode: code)
            error.problem = problem.type.map(ProblemType.init(uri:)) ?? ProblemType(code: answer.status)
            return error
        }
        return CommandError(
            "\(AddressText.withoutPassword(base)) replied with HTTP \(answer.status)", hint: hint(answer.status), exitCode: code)
    }

    private func hint(_ status: Int) -> String? {
        switch status {
        case 401 where token == nil: "give a token: BELLEROPHON_TOKEN, or --token-file FILE"
        case 401: "the token is not known there, was revoked or has expired"
        case 403: "the token's scope does not allow this"
        case 300..<400: "the address redirects; name the one that it leads to"
        default: nil
        }
    }
}
