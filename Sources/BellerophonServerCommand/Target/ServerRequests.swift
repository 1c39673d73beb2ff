import BellerophonServer
import BellerophonStore
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends an operator's requests to a server, and retries where that is safe until there is a response or the time is
/// over.
struct ServerRequests: Sendable {
    let client: HTTPClient
    /// The time limit for all attempts together.
    let limit: Duration

    /// The time limit of a single attempt, so that there is time for another.
    private static let attemptLimit = Duration.seconds(20)
    private static let pauses: [Duration] = [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]

    /// - Parameters:
    ///   - file: streamed as the body.
    ///   - change: nil for a request that changes nothing.
    func send(_ request: URLRequest, file: URL?, _ change: OperatorChange?) async throws -> HTTPAnswer {
        let deadline = ContinuousClock.now + limit
        var (attempt, mayBeDone) = (0, false)
        while true {
            let left = max(deadline - .now, .seconds(1))
            let (reason, pause): (String, Duration)
            switch await HTTPAnswer.to(request, file: file, deadline: min(left, Self.attemptLimit), from: client) {
            case .answered(let answer) where answer.status == 503 || answer.status == 429:
                let wanted = answer.retryAfter.map { Duration.seconds($0) } ?? .zero
                pause = max(Self.pauses[min(attempt, Self.pauses.count - 1)], wanted)
                guard pause < deadline - .now else { return answer }
                reason = "the server is busy (HTTP \(answer.status))"
            case .answered(let answer):
                return answer
            case .notSent(let text):
                // A server that was reachable before may be restarting.
                guard mayBeDone else { throw Self.unreachable(text, request) }
                pause = Self.pauses[min(attempt, Self.pauses.count - 1)]
                guard pause < deadline - .now else { throw Self.unknown(text, request, change) }
                reason = text
            case .unknown(let text):
                mayBeDone = true
                pause = Self.pauses[min(attempt, Self.pauses.count - 1)]
                guard change?.isRepeatable ?? true, file == nil, pause < deadline - .now else {
                    throw Self.unknown(text, request, change)
                }
                reason = text
            }
            attempt += 1
            let rest = max(deadline - .now, .zero).components.seconds
            Output.writeError("bellerophon-server: \(Output.line(reason)); trying again, for at most \(rest) s more")
            try await Task.sleep(for: pause)
        }
    }

    private static func unreachable(_ reason: String, _ request: URLRequest) -> CommandError {
        CommandError(
            "\(origin(request)): \(reason)", hint: "is the server running, and is --server right?",
            exitCode: SystemExit.unavailable
        )
    }

    /// The error for a request that was sent but got no response.
    private static func unknown(_ reason: String, _ request: URLRequest, _ change: OperatorChange?) -> CommandError {
        guard let change else { return unreachable(reason, request) }
        let again =
            change.key.map { ", or give the same command again with --request-key \($0.text): it is carried out once" } ?? ""
        return CommandError(
            "\(origin(request)): \(reason); it is not known whether \(change.what) was carried out",
            hint: "look with `bellerophon-server history`\(again)", exitCode: SystemExit.temporary
        )
    }

    private static func origin(_ request: URLRequest) -> String { request.url?.origin ?? "the server" }
}
