import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import HTTPTransport
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The endpoints of a running server, over HTTP.
struct ServerTransport: OperatorTransport {
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
            Output.writeError("bellerophon-server: the token goes to \(Output.line(parts.host ?? "")) unencrypted; use https")
        }
    }

    var description: String { "the server \(AddressText.withoutPassword(base))" }
    var delay: String? { get async { nil } }

    func answer(
        _ method: String, _ target: String, _ fields: [(String, String)], _ body: LocalEndpoints.Body, _ change: OperatorChange?
    ) async throws -> HTTPAnswer {
        guard let url = URL(string: base + target) else {
            throw CommandError.usage("--server: \(JSONText.quoted(base)) is no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        var file: URL?
        switch body {
        case .none: break
        case .json(let data): request.httpBody = data
        case .file(let url): file = url
        }
        let answer = try await requests.send(request, file: file, change)
        guard (200..<300).contains(answer.status) else { throw failure(answer) }
        if change != nil { warnOfClock(answer) }
        return answer
    }

    /// The status as every client reads it, for a person without a token.
    func publicStatus(_ scope: Scope) async throws -> StatusReport? {
        guard token == nil else { return nil }
        let answer = try await answer("GET", scope.statusPath, [], .none, nil)
        let published = answer.headers["bellerophon-published"].flatMap { Int64($0) }
        let since = published.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        return StatusReport(scope, document: answer.body, since: since, entry: nil, at: Date())
    }

    /// Warns if the server's clock is wrong, since it dates the statuses.
    private func warnOfClock(_ answer: HTTPAnswer) {
        guard let lead = answer.clockLead(at: Date()), abs(lead) > 60 else { return }
        let amount = DurationText.text(.seconds(abs(lead).rounded()))
        Output.writeError(
            "bellerophon-server: the server's clock is \(amount) \(lead > 0 ? "ahead of" : "behind") this machine's; check both")
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
