import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Answer {
    let text: String
    let head: HTTPURLResponse
}

extension URLSession {
    func answer(_ url: URL) async throws -> Answer {
        try await answer(URLRequest(url: url))
    }

    func answer(_ request: URLRequest) async throws -> Answer {
        let (data, response) = try await data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return Answer(text: String(decoding: data, as: UTF8.self), head: head)
    }
}

/// The headers of the last request that a matching rule saw.
final class Seen: Sendable {
    private let last = Mutex<[String: String]>([:])
    var headers: [String: String] { last.withLock { $0 } }
    func note(_ headers: [String: String]) { last.withLock { $0 = headers } }
}
