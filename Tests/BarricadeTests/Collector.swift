import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session delegate that records its calls, and can refuse redirects or cancel the task.
final class Collector: NSObject, URLSessionDataDelegate {
    struct Seen: Sendable {
        var statusCode = 0
        var announced: Int64 = -1
        var pieces = 0
        var bytes = 0
        var body = Data()
        var redirects: [String] = []
        var error: URLError.Code?
    }

    private struct State {
        var seen = Seen()
        var end: CheckedContinuation<Seen, Never>?
    }

    private let state = Mutex(State())
    private let followsRedirects: Bool
    private let cancelsAfter: Int

    /// - Parameter cancelsAfter: the number of received bytes after which the task is cancelled.
    init(followsRedirects: Bool = true, cancelsAfter: Int = .max) {
        self.followsRedirects = followsRedirects
        self.cancelsAfter = cancelsAfter
    }

    /// Loads a URL and waits for the delegate's completion call.
    func load(_ url: URL, _ configuration: URLSessionConfiguration) async -> Seen {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            state.withLock { $0.end = continuation }
            session.dataTask(with: url).resume()
        }
    }

    var bytesSoFar: Int { state.withLock { $0.seen.bytes } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { state in
            state.seen.statusCode = (response as? HTTPURLResponse)?.statusCode ?? 0
            state.seen.announced = response.expectedContentLength
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let bytes = state.withLock { state in
            state.seen.pieces += 1
            state.seen.bytes += data.count
            if state.seen.body.count < 1 << 20 { state.seen.body += data }
            return state.seen.bytes
        }
        if bytes > cancelsAfter { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        state.withLock {
            $0.seen.redirects.append("\(response.statusCode) \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")")
        }
        completionHandler(followsRedirects ? request : nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (end, seen) = state.withLock { state in
            state.seen.error = (error as? URLError)?.code
            defer { state.end = nil }
            return (state.end, state.seen)
        }
        end?.resume(returning: seen)
    }
}
