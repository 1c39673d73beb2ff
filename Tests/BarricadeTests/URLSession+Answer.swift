import Barricade
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct SessionAnswer {
    let text: String
    let head: HTTPURLResponse
}

extension URLSession {
    func answer(_ url: URL) async throws -> SessionAnswer {
        try await answer(URLRequest(url: url))
    }

    func answer(_ request: URLRequest) async throws -> SessionAnswer {
        let (data, response) = try await data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return SessionAnswer(text: String(decoding: data, as: UTF8.self), head: head)
    }
}

extension BarricadeServer {
    func get(_ url: URL) async throws -> SessionAnswer { try await URLSession(configuration: configuration).answer(url) }
}

/// The headers of the last request that a matching rule saw.
final class Seen: Sendable {
    private let last = Mutex<[String: String]>([:])
    var headers: [String: String] { last.withLock { $0 } }
    func record(_ headers: [String: String]) { last.withLock { $0 = headers } }
}
