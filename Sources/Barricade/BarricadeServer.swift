import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A simulated server inside the process. A person or a test selects its responses while the app runs.
///
/// The networking code is unaffected: it only uses a session configuration from the barricade. By default no request of
/// these sessions reaches the network. Several barricades can exist, each for its own sessions.
///
/// ```swift
/// let barricade = BarricadeServer()
/// barricade.register(ResponseSet("status", url: statusURL, responses: [live, killed]))
/// let session = URLSession(configuration: barricade.configuration)
/// try barricade.select("killed", for: "status")
/// ```
///
/// Retain the barricade while its sessions are in use: requests fail after its deallocation.
///
/// Data and upload tasks are supported, with a completion handler, a delegate or `await`. The barricade also handles
/// the target of a redirect, after the task's delegate has accepted the redirect. On Linux a download task ends with
/// neither a file nor an error (measured), as with any `URLProtocol`. WebSocket and stream tasks are not intercepted on
/// any platform.
public final class BarricadeServer: Sendable {
    /// The handling of requests that no set matches.
    public enum UnmatchedRequests: Sendable {
        /// The request fails with an error that names its URL and a remedy.
        case fail
        /// The request goes to the network.
        case pass
    }

    struct Content: Sendable {
        var sets: [ResponseSet] = []
        var timelines: [Timeline] = []
        /// Keyed by request name.
        var players: [String: TimelinePlayer] = [:]
        var speed = 1
        var delay = Duration.zero
        var skipsDelays = false
        var isEnabled = true
        var unmatchedRequests: UnmatchedRequests
        var world = SimulatedWorld()
        /// The timelines that a request has moved on, by request name. The app and the clock follow with the next request: the reply
        /// on its way belongs to the step before.
        var lagging: [String: Lag] = [:]

        struct Lag: Sendable {
            let from: TimelinePlayer.Place?
            let to: TimelinePlayer.Place?
        }
    }

    let content: Mutex<Content>
    let store: any SelectionStore
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)
    let protocolClass: BarricadeClass
    private let clock: @Sendable () -> Duration
    private let chance: @Sendable () -> Double
    /// The real time.
    let wallClock: @Sendable () -> Date

    /// Creates a barricade without response sets.
    /// - Parameters:
    ///   - store: stores the selections; in memory by default.
    ///   - unmatchedRequests: the handling of requests that no set matches; they fail by default.
    ///   - clock: the clock of the timelines: a monotonic duration since any origin, by default the
    ///     time since a fixed point. Called on any thread.
    ///   - wallClock: the real time, for the `Date` of replies that state none. Called on any thread.
    ///   - chance: returns the fraction of a response's jitter that a request waits, 0 to 1. Called on any thread.
    public init(
        store: any SelectionStore = .memory, unmatchedRequests: UnmatchedRequests = .fail,
        clock: (@Sendable () -> Duration)? = nil, wallClock: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.store = store
        self.clock = clock ?? Self.uptime
        self.chance = chance
        self.wallClock = wallClock
        content = Mutex(Content(unmatchedRequests: unmatchedRequests))
        protocolClass = BarricadeClass()
        protocolClass.bind(to: self)
    }

    deinit {
        protocolClass.unbind()
    }

    /// The time since the first use of this property, on a monotonic clock.
    private static let uptime: @Sendable () -> Duration = {
        let origin = ContinuousClock.now
        return { origin.duration(to: .now) }
    }()

    /// The current time on the clock of the timelines.
    package var now: Duration { clock() }

    func drawnJitter(of response: Response) -> Duration {
        response.jitter == .zero ? .zero : response.jitter * min(max(chance(), 0), 1)
    }

    /// Calls the handler after each change from now on, also after a match that a timeline counts, in place of an earlier handler. It runs
    /// on the thread of the change, outside the lock, so that it may use the barricade.
    ///
    /// The passing of time does not call it: see ``BarricadeState/untilNextStep``.
    package func observe(_ handler: (@Sendable () -> Void)?) { observer.withLock { $0 = handler } }

    func notifyObserver() { observer.withLock { $0 }?() }

    /// Changes the content and notifies the observer.
    func change<Result: Sendable>(_ body: (inout sending Content) -> sending Result) -> Result {
        let result = content.withLock(body)
        notifyObserver()
        return result
    }
}

// MARK: Settings

extension BarricadeServer {
    /// Whether this barricade handles requests; while false, they go to the network. Default: true.
    ///
    /// Requests in progress are unaffected.
    public var isEnabled: Bool {
        get { content.withLock { $0.isEnabled } }
        set { change { $0.isEnabled = newValue } }
    }

    /// The handling of requests that no set matches.
    ///
    /// A redirect to such a request always fails, because it can't be passed to the network.
    public var unmatchedRequests: UnmatchedRequests {
        get { content.withLock { $0.unmatchedRequests } }
        set { change { $0.unmatchedRequests = newValue } }
    }

    /// A wait before every outcome, in addition to the response's own. Negative values count as zero. Default: zero.
    public var delay: Duration {
        get { content.withLock { $0.delay } }
        set { change { $0.delay = max(newValue, .zero) } }
    }

    /// Whether all waits before an outcome are skipped, for fast tests. Default: false.
    package var skipsDelays: Bool {
        get { content.withLock { $0.skipsDelays } }
        set { change { $0.skipsDelays = newValue } }
    }
}

// MARK: Response sets

extension BarricadeServer {
    /// The registered sets, in the order in which requests are matched against them.
    public var responseSets: [ResponseSet] { content.withLock { $0.sets } }

    /// The set with that request name.
    public subscript(requestName: String) -> ResponseSet? {
        responseSets.first { $0.requestName == requestName }
    }

    /// The set with that request name, or an error that names the known ones.
    func registered(_ requestName: String) throws(BarricadeError) -> ResponseSet {
        guard let set = self[requestName] else { throw .unknownRequest(requestName, known: responseSets.map(\.requestName)) }
        return set
    }

    /// Appends a set, or replaces the set with the same request name in place.
    public func register(_ set: ResponseSet) {
        change { $0.sets.replaceOrAppend(set) { $0.requestName == set.requestName } }
    }

    /// Registers the requests and timelines of a scenario file. Each replaces an existing one with the same name.
    /// - Parameters:
    ///   - file: a valid scenario file.
    ///   - folder: the scenario file's folder, which contains the files with bodies.
    public func register(_ file: ScenarioFile, folder: URL? = nil) {
        let sets = file.requests.map { $0.responseSet(folder: folder) }
        change { content in
            for set in sets { content.sets.replaceOrAppend(set) { $0.requestName == set.requestName } }
            for timeline in file.timelines { content.timelines.replaceOrAppend(timeline) { $0.name == timeline.name } }
        }
    }

    /// Removes a set and ends its timeline; its requests are then unmatched. A later set with that name keeps the selection.
    public func unregister(_ requestName: String) {
        change { content in
            content.sets.removeAll { $0.requestName == requestName }
            content.end(requestName)
        }
    }

    /// A barricade that gives the same response to every request.
    public static func stub(_ response: Response) -> BarricadeServer {
        let barricade = BarricadeServer()
        barricade.stub("stub", with: response)
        return barricade
    }

    /// Registers a set with a single response.
    /// - Parameters:
    ///   - requestName: the name of the set; it replaces an existing set with that name.
    ///   - match: the requests that get the response; by default all.
    ///   - response: the only response of the set.
    public func stub(_ requestName: String, where match: RequestMatch = RequestMatch(), with response: Response) {
        register(ResponseSet(requestName, matching: match, responses: [response]))
    }
}
