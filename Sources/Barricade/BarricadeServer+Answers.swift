import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension BarricadeServer {
    /// The outcome of a request, and the response that determined it.
    package struct Answer: Sendable {
        /// The reply, the failure or the silence.
        package let outcome: Response.Outcome
        /// The wait before the outcome.
        package let wait: Duration
        /// The name of the matching response set; nil if no set matches.
        package let requestName: String?
        /// The name of the response; nil if no set matches or the set is empty.
        package let responseName: String?
    }

    /// The outcome that a request gets now. Each call counts as one match in a playing timeline: call it once per request.
    ///
    /// A request that no set matches gets a failure that names the request.
    package func answer(to request: URLRequest) -> Answer {
        guard let set = responseSets.first(where: { $0.matches(request) }) else { return .unmatched(request) }
        guard let response = matchedResponse(in: set) else { return .empty(set, request) }
        let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        return Answer(
            outcome: response.outcome(request, components), wait: wait(before: response), requestName: set.requestName,
            responseName: response.name
        )
    }

    /// Whether the barricade handles a request instead of the network.
    func handles(_ request: URLRequest) -> Bool {
        let (isEnabled, takesAll) = content.withLock { ($0.isEnabled, $0.unmatchedRequests == .fail) }
        return isEnabled && (takesAll || responseSets.contains { $0.matches(request) })
    }

    private func wait(before response: Response) -> Duration {
        let (delay, isSkipped) = content.withLock { ($0.delay, $0.skipsDelays) }
        return isSkipped ? .zero : delay + response.delay + drawnJitter(of: response)
    }

    /// The response of the timeline, which counts the match; otherwise the selected one, otherwise the default.
    private func matchedResponse(in set: ResponseSet) -> Response? {
        let moment = moment
        let name = content.withLock { $0.match(set.requestName, at: moment) }
        guard let name else { return selectedResponse(in: set) }
        notifyObserver()
        return set[name] ?? selectedResponse(in: set)
    }

    // MARK: Selection

    /// Selects the response to subsequent requests of a kind, and ends the timeline for them.
    /// - Throws: ``BarricadeError`` if no set or no response has that name; the selection is then unchanged.
    public func select(_ responseName: String, for requestName: String) throws(BarricadeError) {
        let set = try registered(requestName)
        guard let response = set[responseName] else {
            throw .unknownResponse(responseName, request: requestName, known: set.responses.map(\.name))
        }
        store.select(responseName, for: requestName)
        let moment = moment
        change { content in
            content.end(requestName)
            content.world.adopt(response.setting, at: moment)
        }
    }

    /// The current response to requests of a kind: the timeline's, otherwise the selected one, otherwise the default.
    public func selectedResponse(for requestName: String) -> Response? {
        state.request(requestName).flatMap { request in request.responses.first { $0.name == request.currentResponse } }
    }

    /// Removes all selections, so that every set's default applies, and ends all timelines. The app and the clock are the real
    /// ones again.
    public func resetSelections() {
        store.reset()
        change { content in
            content.players = [:]
            content.lagging = [:]
            content.world.reset()
        }
        takeSettings()
    }

    /// Removes the selection for a kind of request, so that the set's default applies, and ends its timeline. If one of them has
    /// said who the app is or what time it is, the app and the clock are the real ones again.
    public func resetSelection(for requestName: String) {
        let selected = store.selection(for: requestName).flatMap { self[requestName]?[$0] }
        store.select(nil, for: requestName)
        let hadSetting = change { content in
            let hadSetting = selected?.setting.isEmpty == false || content.players[requestName]?.timeline.hasSettings == true
            content.end(requestName)
            if hadSetting { content.world.reset() }
            return hadSetting
        }
        if hadSetting { takeSettings() }
    }

    /// Takes over what the present responses state about the app and the time, which nobody has picked by hand.
    package func takeSettings() {
        let settings = responseSets.compactMap { set in
            content.withLock { $0.players[set.requestName] == nil } ? selectedResponse(in: set)?.setting : nil
        }.filter { !$0.isEmpty }
        guard !settings.isEmpty else { return }
        let moment = moment
        change { content in
            for setting in settings { content.world.adopt(setting, at: moment) }
        }
    }

    func selectedResponse(in set: ResponseSet) -> Response? {
        store.selection(for: set.requestName).flatMap { set[$0] } ?? set.defaultResponse
    }
}

extension BarricadeServer.Answer {
    /// The failure of a request whose barricade is deallocated.
    static func gone(_ request: URLRequest) -> Self {
        failure("the barricade of this session no longer exists", .cancelled, request)
    }

    static func unmatched(_ request: URLRequest) -> Self {
        let advice = "register a response set that matches it"
        return failure("the barricade has no response for \(request.line); \(advice)", .resourceUnavailable, request)
    }

    static func empty(_ set: ResponseSet, _ request: URLRequest) -> Self {
        let sentence = "the barricade's set \"\(set.requestName)\" has no responses to give to \(request.line)"
        return failure(sentence, .resourceUnavailable, request, set: set.requestName)
    }

    private static func failure(
        _ sentence: String, _ code: URLError.Code, _ request: URLRequest, set: String? = nil
    ) -> Self {
        let error = URLError.barricade(code, sentence, url: request.url)
        return Self(outcome: .failure(error), wait: .zero, requestName: set, responseName: nil)
    }
}

extension URLRequest {
    /// The method and the URL: `GET https://demo.local/status`.
    var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "a request without a URL")" }
}
