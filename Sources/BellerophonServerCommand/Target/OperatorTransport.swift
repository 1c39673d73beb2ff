import BellerophonServer
import BellerophonStore
import Foundation

/// How the requests of an operator's command reach the endpoints.
protocol OperatorTransport: Sendable {
    /// A description for a person: `the store /srv/status`.
    var description: String { get }
    /// Why clients do not see a change yet; nil if they do.
    var delay: String? { get async }

    /// The answer to a request.
    /// - Parameters:
    ///   - target: the path with its query.
    ///   - change: what the request changes; nil for nothing.
    /// - Throws: ``CommandError`` for what is refused.
    func answer(
        _ method: String, _ target: String, _ fields: [(String, String)], _ body: LocalEndpoints.Body, _ change: OperatorChange?
    ) async throws -> HTTPAnswer

    /// A status that everybody may read; nil if operators read more.
    func publicStatus(_ scope: Scope) async throws -> StatusReport?
}

/// The endpoints of a store of this machine, in this process.
struct StoreTransport: OperatorTransport {
    private let store: Store
    private let endpoints: LocalEndpoints

    init(_ store: Store, author: Author) {
        (self.store, endpoints) = (store, LocalEndpoints(store, author: author))
    }

    var description: String { "the store \(store.folder.path)" }

    /// Of a database whether a server leads is known, and not which servers there are: after the end of one that led, another one leads
    /// within seconds.
    var delay: String? {
        get async {
            guard store.isShared else {
                if ServerLock.isHeld(store.folder) { return nil }
                return "no server runs on \(description); clients see this once one does, or after an export"
            }
            guard let isServed = try? await store.isServed, !isServed else { return nil }
            return "no server leads the shared store now; clients see this within seconds if one is there, or once one is started"
        }
    }

    func answer(
        _ method: String, _ target: String, _ fields: [(String, String)], _ body: LocalEndpoints.Body, _ change: OperatorChange?
    ) async throws -> HTTPAnswer {
        do {
            return try await endpoints.answer(method, target, fields: fields, body: body)
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as HTTPError {
            throw CommandError(error)
        }
    }

    func publicStatus(_ scope: Scope) async throws -> StatusReport? { nil }
}
