#if Server
import Foundation
import HTTPTransport
import TerminalUI
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The whole answer of a server to an operator's command.
struct HTTPAnswer: HTTPHandler {
    private(set) var status = 0
    /// Names in lower case.
    private(set) var headers: [String: String] = [:]
    private(set) var body = Data()

    /// The most bytes of an answer: far more than the longest journal page or list of resources.
    private static let bodyLimit = 64 << 20

    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<String> {
        status = head.statusCode
        for (name, value) in head.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return .proceed
    }

    mutating func take(_ bytes: Data) -> HTTPVerdict<String> {
        guard body.count + bytes.count <= Self.bodyLimit else { return .cut("the answer is larger than \(Self.bodyLimit >> 20) MiB") }
        body.append(bytes)
        return .proceed
    }

    /// Sends a request and waits for the whole answer. A redirect is an answer like any other, so that a token goes nowhere
    /// else.
    /// - Parameter file: streamed as the body; it may take as long as bytes go.
    static func to(_ request: URLRequest, file: URL? = nil, from client: HTTPClient) async throws(CommandFailure) -> HTTPAnswer {
        let limits = file == nil
            ? HTTPLimits(deadline: .seconds(30), redirects: .deliver) : HTTPLimits(silence: .seconds(60), redirects: .deliver)
        let (answer, end) = await client.perform(request, upload: file, limits: limits, handler: HTTPAnswer())
        switch end {
        case .complete: return answer
        case .cut(let reason): throw unreachable(reason, request)
        case .failed(let failure): throw unreachable(words(failure), request)
        }
    }

    private static func words(_ failure: HTTPFailure) -> String {
        switch failure {
        case .cancelled: "cancelled"
        case .deadline(let limit): "no complete answer within \(limit.components.seconds) s"
        case .silence(let limit): "nothing was sent or received for \(limit.components.seconds) s"
        case .redirect(let why): "redirect refused: \(why)"
        case .connection(_, let message): SafeText.sanitize(message, keepingNewlines: false, limit: 300)
        }
    }

    private static func unreachable(_ reason: String, _ request: URLRequest) -> CommandFailure {
        CommandFailure(
            "\(request.url?.origin ?? "the server"): \(reason)", hint: "is the server running, and is --server right?",
            exitCode: SystemExit.unavailable
        )
    }
}
#endif
