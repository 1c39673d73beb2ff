#if Server
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request to a server and its whole answer.
struct HTTPAnswer: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: Data
}

/// Sends requests, each with an end: redirects are refused, so that a token goes nowhere else.
struct HTTPExchange: Sendable {
    private let session: URLSession

    /// Seconds that a request without a file may take.
    static let deadline: TimeInterval = 30

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    /// - Parameter file: streamed as the body; it may take as long as bytes go.
    func send(_ request: URLRequest, file: URL? = nil) async throws -> HTTPAnswer {
        let result: Result<HTTPAnswer, CommandFailure> = await withCheckedContinuation { continuation in
            let end = EndOnce(continuation)
            let done: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
                end.resume(Self.result(data, response, error, request))
            }
            let task = file.map { session.uploadTask(with: request, fromFile: $0, completionHandler: done) }
                ?? session.dataTask(with: request, completionHandler: done)
            task.resume()
            guard file == nil else { return }
            // The task is left to itself: cancelling from another thread is not safe in Foundation on Linux.
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.deadline) {
                end.resume(.failure(Self.unreachable("no complete answer within \(Int(Self.deadline)) s", request)))
            }
        }
        return try result.get()
    }

    private static func result(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, _ request: URLRequest
    ) -> Result<HTTPAnswer, CommandFailure> {
        guard let response = response as? HTTPURLResponse, error == nil else {
            return .failure(unreachable(reason(error), request))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return .success(HTTPAnswer(status: response.statusCode, headers: headers, body: data ?? Data()))
    }

    private static func unreachable(_ reason: String, _ request: URLRequest) -> CommandFailure {
        let place = request.url.map { "\($0.scheme ?? "")://\($0.host ?? "")\($0.port.map { ":\($0)" } ?? "")" } ?? "the server"
        return CommandFailure(
            "\(place): \(reason)", hint: "is the server running, and is --server right?", exitCode: SystemExit.unavailable
        )
    }

    private static func reason(_ error: (any Error)?) -> String {
        switch (error as? URLError)?.code {
        case .cannotConnectToHost: "could not connect"
        case .cannotFindHost, .dnsLookupFailed: "the host is not known"
        case .timedOut: "timed out"
        case .networkConnectionLost: "the connection was cut"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot: "the server's certificate is not trusted"
        default: error.map { ($0 as NSError).localizedDescription } ?? "no answer"
        }
    }
}

/// A continuation that several may want to resume; the first one does.
private final class EndOnce: Sendable {
    typealias Continuation = CheckedContinuation<Result<HTTPAnswer, CommandFailure>, Never>
    private let continuation: Mutex<Continuation?>

    init(_ continuation: Continuation) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ result: Result<HTTPAnswer, CommandFailure>) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: result)
    }
}

/// Shows a redirect as what it is.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
