import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

/// A local server behind one `URLSession`: requests get answers that a person or a test picks while the app runs.
///
/// The networking code stays as it is; only its session configuration comes from here. Nothing reaches the network.
/// Several barricades stand side by side, each for its own sessions.
///
/// ```swift
/// let barricade = Barricade()
/// barricade.register(ResponseSet("status", url: statusURL, responses: [live, killed]))
/// let session = URLSession(configuration: barricade.configuration)
/// try barricade.select("killed", for: "status")
/// ```
///
/// Keep the barricade for as long as its sessions: without it their requests fail.
public final class Barricade: Sendable {
    private let sets = Mutex<[ResponseSet]>([])
    private let store: any SelectionStore
    private let protocolClass: BarricadeClass

    /// - Parameter store: remembers the selections; in memory by default.
    public init(store: any SelectionStore = .memory) {
        self.store = store
        protocolClass = BarricadeClass()
        protocolClass.bind(to: self)
    }

    deinit {
        protocolClass.unbind()
    }

    /// A configuration without cache, cookies or credentials whose sessions this barricade answers.
    ///
    /// Every call makes a new one, free to change.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        protect(configuration)
        return configuration
    }

    /// Puts this barricade in front of the sessions made from a configuration from now on.
    public func protect(_ configuration: URLSessionConfiguration) {
        configuration.protocolClasses = [protocolClass.type] + (configuration.protocolClasses ?? [])
    }

    // MARK: Response sets

    /// The registered sets, in the order in which requests are tried against them.
    public var responseSets: [ResponseSet] { sets.withLock { $0 } }

    /// Adds a set after the others, or replaces the one with the same request name in its place.
    public func register(_ set: ResponseSet) {
        sets.withLock { sets in
            if let index = sets.firstIndex(where: { $0.requestName == set.requestName }) {
                sets[index] = set
            } else {
                sets.append(set)
            }
        }
    }

    /// Takes a set away; its requests then fail as unmatched. Its selection is kept for a later set of that name.
    public func unregister(_ requestName: String) {
        sets.withLock { $0.removeAll { $0.requestName == requestName } }
    }

    // MARK: Selection

    /// Makes a response the answer to the next requests of its kind.
    /// - Throws: where no set or no response has that name; nothing is changed then.
    public func select(_ responseName: String, for requestName: String) throws(BarricadeError) {
        guard let set = set(named: requestName) else {
            throw .unknownRequest(requestName, known: responseSets.map(\.requestName))
        }
        guard set[responseName] != nil else {
            throw .unknownResponse(responseName, request: requestName, known: set.responses.map(\.name))
        }
        store.select(responseName, for: requestName)
    }

    /// The response that answers requests of that kind now: the selected one, else the set's default.
    public func selectedResponse(for requestName: String) -> Response? {
        set(named: requestName).flatMap(selectedResponse)
    }

    /// Goes back to every set's default.
    public func resetSelections() {
        store.reset()
    }

    /// What a request gets now. A request that no set matches gets a failure that names it.
    public func outcome(for request: URLRequest) -> (outcome: Response.Outcome, wait: Duration) {
        guard let set = responseSets.first(where: { $0.matches(request) }) else {
            return (.failure(unmatched(request)), .zero)
        }
        guard let response = selectedResponse(in: set) else {
            return (.failure(empty(set, request)), .zero)
        }
        return (response.outcome, response.delay + response.jitter * Double.random(in: 0...1))
    }

    private func set(named name: String) -> ResponseSet? {
        responseSets.first { $0.requestName == name }
    }

    private func selectedResponse(in set: ResponseSet) -> Response? {
        store.selection(for: set.requestName).flatMap { set[$0] } ?? set.defaultResponse
    }

    private func unmatched(_ request: URLRequest) -> URLError {
        .barricade(
            .resourceUnavailable,
            "the barricade has no response for \(request.line); register a response set that matches it",
            url: request.url
        )
    }

    private func empty(_ set: ResponseSet, _ request: URLRequest) -> URLError {
        .barricade(
            .resourceUnavailable,
            "the barricade's set \"\(set.requestName)\" has no responses to give to \(request.line)", url: request.url
        )
    }
}

extension URLRequest {
    /// The request as a person reads it: `GET https://demo.local/status`.
    var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "a request without a URL")" }
}
