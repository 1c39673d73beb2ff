import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
///
/// Data and upload tasks are answered, with a completion handler, with a delegate or awaited. A redirect is followed
/// inside, once the task's delegate has agreed. On Linux a download task ends with neither a file nor an error
/// (measured), as with any `URLProtocol`; WebSockets and streams are not reached on any platform.
public final class Barricade: Sendable {
    /// What becomes of a request that no set matches.
    public enum UnmatchedRequests: Sendable {
        /// It fails, with an error that names its address and what to do.
        case fail
        /// It goes to the network, as if there were no barricade.
        case pass
    }

    struct Content: Sendable {
        var sets: [ResponseSet] = []
        var timelines: [Timeline] = []
        /// By the name of the request that they answer.
        var players: [String: TimelinePlayer] = [:]
        var speed = 1
        var delay = Duration.zero
        var skipsDelays = false
        var isEnabled = true
        var unmatchedRequests: UnmatchedRequests
    }

    let content: Mutex<Content>
    let store: any SelectionStore
    let observers = Observers()
    let protocolClass: BarricadeClass
    private let clock: @Sendable () -> Duration
    private let chance: @Sendable () -> Double

    /// - Parameters:
    ///   - store: remembers the selections; in memory by default.
    ///   - unmatchedRequests: a request that no set matches fails by default.
    ///   - clock: what timelines play by: the time since any origin, never going back. Called on any thread.
    ///   - chance: draws the part of a response's jitter that a request waits, 0 to 1. Called on any thread.
    public init(
        store: any SelectionStore = .memory, unmatchedRequests: UnmatchedRequests = .fail,
        clock: @escaping @Sendable () -> Duration = Barricade.uptime,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.store = store
        self.clock = clock
        self.chance = chance
        content = Mutex(Content(unmatchedRequests: unmatchedRequests))
        protocolClass = BarricadeClass()
        protocolClass.bind(to: self)
    }

    deinit {
        protocolClass.unbind()
    }

    /// The time since this was first asked for, on a monotonic clock.
    public static let uptime: @Sendable () -> Duration = {
        let origin = ContinuousClock.now
        return { origin.duration(to: .now) }
    }()

    /// The present on the clock that timelines play by.
    public var now: Duration { clock() }

    func drawnJitter(of response: Response) -> Duration {
        response.jitter == .zero ? .zero : response.jitter * min(max(chance(), 0), 1)
    }

    /// Changes the content and tells whoever watches.
    func change<Result: Sendable>(_ body: (inout sending Content) -> sending Result) -> Result {
        let result = content.withLock(body)
        observers.notify()
        return result
    }
}

// MARK: Switches

extension Barricade {
    /// Whether requests are answered here; while false, they go to the network. Default: true.
    ///
    /// Requests under way end as they began.
    public var isEnabled: Bool {
        get { content.withLock { $0.isEnabled } }
        set { change { $0.isEnabled = newValue } }
    }

    /// What becomes of a request that no set matches.
    ///
    /// A redirect to such a request fails in either case: it can't be handed over to the network.
    public var unmatchedRequests: UnmatchedRequests {
        get { content.withLock { $0.unmatchedRequests } }
        set { change { $0.unmatchedRequests = newValue } }
    }

    /// A wait before every answer, in addition to the responses' own. Default: none.
    public var delay: Duration {
        get { content.withLock { $0.delay } }
        set { change { $0.delay = max(newValue, .zero) } }
    }

    /// Whether every wait before an answer is left out, for tests at full speed. Default: false.
    public var skipsDelays: Bool {
        get { content.withLock { $0.skipsDelays } }
        set { change { $0.skipsDelays = newValue } }
    }
}

// MARK: Response sets

extension Barricade {
    /// The registered sets, in the order in which requests are tried against them.
    public var responseSets: [ResponseSet] { content.withLock { $0.sets } }

    /// The set of that name.
    public subscript(requestName: String) -> ResponseSet? {
        responseSets.first { $0.requestName == requestName }
    }

    /// Adds a set after the others, or replaces the one with the same request name in its place.
    public func register(_ set: ResponseSet) {
        change { $0.sets.replaceOrAppend(set) { $0.requestName == set.requestName } }
    }

    /// Adds all that a scenario file has: its requests and its timelines, each in place of one of the same name.
    /// - Parameter folder: where bodies in files are looked for: the scenario file's folder.
    public func register(_ file: ScenarioFile, folder: URL? = nil) {
        let sets = file.requests.map { $0.responseSet(folder: folder) }
        change { content in
            for set in sets { content.sets.replaceOrAppend(set) { $0.requestName == set.requestName } }
            for timeline in file.timelines { content.timelines.replaceOrAppend(timeline) { $0.name == timeline.name } }
        }
    }

    /// Takes a set away; its requests then are unmatched. Its selection is kept for a later set of that name.
    public func unregister(_ requestName: String) {
        change { content in
            content.sets.removeAll { $0.requestName == requestName }
            content.players[requestName] = nil
        }
    }

    /// A barricade whose sessions get one response, whatever they ask for.
    public static func stub(_ response: Response) -> Barricade {
        let barricade = Barricade()
        barricade.stub("stub", with: response)
        return barricade
    }

    /// Registers a set of one response in one call.
    /// - Parameters:
    ///   - requestName: an earlier set or stub of that name is replaced.
    ///   - match: which requests; all by default.
    public func stub(_ requestName: String, where match: RequestMatch = RequestMatch(), with response: Response) {
        register(ResponseSet(requestName, matching: match, responses: [response]))
    }
}
