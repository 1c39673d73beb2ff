import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import HTTPTransport
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The endpoints of a running server, over HTTP. A request is sent again where that is safe, until there is a response or the time is
/// over.
struct ServerTransport: Sendable {
    private let base: String
    private let token: String?
    private let client = HTTPClient()
    private let limit: Duration

    /// The time limit of a single attempt, so that there is time for another.
    private static let attemptLimit = Duration.seconds(20)
    private static let pauses: [Duration] = [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]

    /// - Parameters:
    ///   - address: an http or https address, optionally with a path to which the server's paths are appended.
    ///   - limit: the time limit for all attempts of a request together.
    init(_ address: String, token: String?, limit: Duration) throws {
        (self.token, self.limit) = (token, limit)
        base = try BaseAddress.read(address, option: "--server", example: " such as https://status.example.com")
        let parts = URLComponents(string: base)
        if token != nil, parts?.scheme?.lowercased() == "http", parts?.url?.isLoopback != true {
            Output.writeError("bellerophon-server: the token goes to \(Output.line(parts?.host ?? "")) unencrypted; use https")
        }
    }

    /// The address for a person.
    var address: String { AddressText.withoutPassword(base) }

    /// The answer to a request.
    /// - Parameters:
    ///   - target: the path with its query.
    ///   - change: what the request changes; nil for nothing.
    /// - Throws: ``CommandError`` for what is refused.
    func answer(
        _ method: String, _ target: String, _ fields: [(String, String)], json: Data? = nil, file: URL? = nil,
        _ change: OperatorChange? = nil
    ) async throws -> HTTPAnswer {
        guard let url = URL(string: base + target) else {
            throw CommandError.usage("--server: \(JSONText.quoted(base)) is no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        request.httpBody = json
        let answer = try await send(request, file: file, change)
        guard (200..<300).contains(answer.status) else { throw failure(answer) }
        if change != nil { warnOfClock(answer) }
        return answer
    }

    /// - Parameter file: streamed as the body.
    private func send(_ request: URLRequest, file: URL?, _ change: OperatorChange?) async throws -> HTTPAnswer {
        let deadline = ContinuousClock.now + limit
        let origin = request.url?.origin ?? "the server"
        var (attempt, mayBeDone) = (0, false)
        while true {
            let left = max(deadline - .now, .seconds(1))
            var pause = Self.pauses[min(attempt, Self.pauses.count - 1)]
            let reason: String
            switch await HTTPAnswer.to(request, file: file, deadline: min(left, Self.attemptLimit), from: client) {
            case .answered(let answer):
                if let wanted = answer.retryAfter { pause = max(pause, .seconds(wanted)) }
                guard [429, 503].contains(answer.status), pause < deadline - .now else { return answer }
                reason = "the server is busy (HTTP \(answer.status))"
            case .notSent(let text) where !mayBeDone: throw Self.unreachable(text, origin)
            // A server that was reachable before may be restarting.
            case .notSent(let text), .unknown(let text):
                mayBeDone = true
                guard change?.isRepeatable ?? true, file == nil, pause < deadline - .now else {
                    throw Self.unknown(text, origin, change)
                }
                reason = text
            }
            attempt += 1
            let rest = max(deadline - .now, .zero).components.seconds
            Output.writeError("bellerophon-server: \(Output.line(reason)); trying again, for at most \(rest) s more")
            try await Task.sleep(for: pause)
        }
    }

    private static func unreachable(_ reason: String, _ origin: String) -> CommandError {
        CommandError(
            "\(origin): \(reason)", hint: "is the server running, and is --server right?", exitCode: SystemExit.unavailable)
    }

    /// The error for a request that was sent but got no response.
    private static func unknown(_ reason: String, _ origin: String, _ change: OperatorChange?) -> CommandError {
        guard let change else { return unreachable(reason, origin) }
        let again =
            change.key.map { ", or give the same command again with --request-key \($0.text): it is carried out once" } ?? ""
        return CommandError(
            "\(origin): \(reason); it is not known whether \(change.what) was carried out",
            hint: "look with `bellerophon-server history`\(again)", exitCode: SystemExit.temporary)
    }

    /// The status as every client reads it, for a person without a token; nil with one.
    func publicStatus(_ scope: Scope) async throws -> StatusReport? {
        guard token == nil else { return nil }
        let answer = try await answer("GET", scope.statusPath, [])
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
            var error = CommandError(problem.detail, hint: problem.hint, exitCode: code)
            error.problem = problem.type.map(ProblemType.init(uri:)) ?? ProblemType(code: answer.status)
            return error
        }
        let hint: String? =
            switch answer.status {
            case 300..<400: "the address redirects; name the one that it leads to"
            case 401, 403: "it is no reply of bellerophon-server; a proxy may ask for a sign-in of its own"
            default: nil
            }
        return CommandError("\(address) replied with HTTP \(answer.status)", hint: hint, exitCode: code)
    }
}

/// The address before the paths of a server or of exported files.
enum BaseAddress {
    /// - Returns: the address without a slash at its end.
    /// - Throws: if it is no http or https address, or has a query or a fragment.
    static func read(_ text: String, option: String, example: String = "") throws(CommandError) -> String {
        guard StatusDocument.webAddress(text) != nil, let parts = URLComponents(string: text), parts.query == nil,
            parts.fragment == nil
        else {
            let shown = JSONText.quoted(AddressText.withoutPassword(text))
            throw .usage("\(option): expected an http or https address\(example), found \(shown)")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
