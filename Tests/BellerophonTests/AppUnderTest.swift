import Bellerophon
import Foundation
import Synchronization
import TerminalUI
import TestSupport

/// An app with a manager, a delegate and a clock that the test controls.
@MainActor
final class AppUnderTest: BellerophonManagerDelegate {
    /// The model that the app's status code returns next; nil completes with ``error``.
    var status: Model? = Model()
    var error: (any Error)?
    var answers = true
    var onEngage: () -> Void = {}

    let window = RecordingWindow()
    let clock: ManualClock
    /// Holds what may wait for a disk; nil if it is done at once.
    let slowWork: SlowWorkClock?
    let killView = NamedView("kill")
    let updateView = NamedView("update")
    private(set) var log: [String] = []
    private(set) var errors: [StatusError] = []
    private(set) var reports: [StatusReport] = []
    private(set) var checks = 0
    private(set) var lastCompletion: (@Sendable ((any BellerophonObservable)?, (any Error)?) -> Void)?
    private(set) lazy var manager = makeManager()
    private let views: (kill: Bool, update: Bool)
    private let store: (any StatusStore)?
    private let version: String
    private let transport: Transport
    private let stream: (any StatusStream)?
    private let freshness: FreshnessPolicy
    private let bundledStatus: Data?

    init(
        hasKillView: Bool = true, hasUpdateView: Bool = true, store: (any StatusStore)? = nil, version: String = "1.0",
        transport: Transport = .auto, stream: (any StatusStream)? = nil, freshness: FreshnessPolicy = FreshnessPolicy(),
        bundledStatus: String? = nil, slowWork: SlowWorkClock? = nil
    ) {
        (clock, self.slowWork) = (slowWork?.base ?? ManualClock(), slowWork)
        self.freshness = freshness
        self.bundledStatus = bundledStatus.map { Data($0.utf8) }
        (self.transport, self.stream) = (transport, stream)
        views = (hasKillView, hasUpdateView)
        self.store = store
        self.version = version
    }

    private func makeManager() -> BellerophonManager {
        var config = BellerophonConfig(
            window: window, killSwitchView: views.kill ? killView : nil,
            forceUpdateView: views.update ? updateView : nil, delegate: self
        )
        config.languages = LanguagePreference([])
        config.store = store
        config.freshness = freshness
        config.bundledStatus = bundledStatus
        config.transport = transport
        config.stream = stream
        config.app = AppInfo(name: "app", version: version)
        let manager = BellerophonManager(config: config, clock: slowWork ?? clock, generator: Halfway())
        manager.onReport = { [weak self] in self?.reports.append($0) }
        return manager
    }

    func bellerophonStatus(
        _ manager: BellerophonManager,
        completion: @escaping @Sendable (_ status: (any BellerophonObservable)?, _ error: (any Error)?) -> Void
    ) {
        checks += 1
        lastCompletion = completion
        if answers { completion(status, error) }
    }

    func receivedError(error: any Error) {
        errors.append(error as? StatusError ?? StatusError(.noStatus))
    }

    func shouldKillSwitch() { log.append("shouldKillSwitch") }
    func shouldForceUpdate() { log.append("shouldForceUpdate") }

    func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent) {
        log.append("engage \(name(of: event))")
        onEngage()
    }

    func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent) {
        log.append("disengage \(name(of: event))")
    }

    private func name(of event: BellerophonEvent) -> String {
        switch event {
        case .killSwitch(let view): view === killView ? "kill" : "kill with another view"
        case .forceUpdate(let view): view === updateView ? "update" : "update with another view"
        }
    }
}

/// An app's own status model, as programs for the original library define it.
final class Model: BellerophonObservable, Sendable {
    private let killed: Bool
    private let update: Bool
    private let interval: TimeInterval
    private let message: String

    init(killed: Bool = false, update: Bool = false, interval: TimeInterval = 5, message: String = "") {
        self.killed = killed
        self.update = update
        self.interval = interval
        self.message = message
    }

    func apiInactive() -> Bool { killed }
    func forceUpdate() -> Bool { update }
    func retryInterval() -> TimeInterval { interval }
    func userMessage() -> String { message }
}

/// A window that records the shown views.
@MainActor
final class RecordingWindow: OverlayWindow {
    private(set) var shown: String?
    private(set) var content: OverlayContent?
    private(set) var history: [String] = []
    /// The number of updates to other content.
    private(set) var updates = 0
    private(set) var notice: OverlayNotice?

    func notify(_ notice: OverlayNotice?) {
        self.notice = notice
        history.append("notice \(notice.map { "\($0.form) \($0.rule.id)" } ?? "-")")
    }

    weak var responder: (any OverlayResponder)?

    func present(_ view: any OverlayView, content: OverlayContent) {
        shown = (view as? NamedView)?.name
        self.content = content
        history.append("present \(shown ?? "?")")
        updates += 1
    }

    func update(_ content: OverlayContent) {
        self.content = content
        updates += 1
    }

    func dismiss() {
        shown = nil
        content = nil
        history.append("dismiss")
        updates += 1
    }
}

@MainActor
final class NamedView: OverlayView {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    func draw(_ content: OverlayContent, in frame: inout Frame) {}
}

/// A source that a closure answers, by default never.
struct ClosureSource: StatusSource {
    typealias Completion = @Sendable (Result<StatusReply, StatusError>) -> Void

    var name = "test/status"
    var host = "test"
    var verifier: (any StatusVerifier)?
    var fetch: @Sendable (@escaping Completion) -> Void = { _ in }

    func fetchStatus(_ completion: @escaping Completion) -> StatusCheck {
        fetch(completion)
        return StatusCheck {}
    }

    /// Always replies with this document, at the time that a server shows.
    static func fixed(_ document: StatusDocument, date: @escaping @Sendable () -> Date? = { nil }) -> ClosureSource {
        ClosureSource { completion in
            var metadata = ExchangeMetadata(httpStatus: 200)
            metadata.serverDate = date()
            completion(.success(StatusReply(document, metadata: metadata)))
        }
    }
}

final class MemoryStore: StatusStore {
    private let record = Mutex<StatusRecord?>(nil)

    func load() -> StatusRecord? { record.withLock { $0 } }
    func save(_ record: StatusRecord) { self.record.withLock { $0 = record } }
}

/// A manual clock that holds what may wait for a disk, as a disk does that does not answer.
final class SlowWorkClock: ManagerClock {
    let base = ManualClock()
    private let held = Mutex<[@Sendable () -> Void]>([])

    var now: MonotonicInstant { base.now }
    var date: Date { base.date }
    var slept: Duration { base.slept }
    var heldCount: Int { held.withLock { $0.count } }

    @MainActor
    func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        base.schedule(after: wait, handler)
    }

    func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        base.call(after: wait, handler)
    }

    func perform(_ work: @escaping @Sendable () -> Void) { held.withLock { $0.append(work) } }

    /// Does what was held until now.
    func performHeld() {
        for work in held.withLock({ held in
            defer { held = [] }
            return held
        }) { work() }
    }
}

extension ManualClock {
    /// Lets time pass to the next check: five seconds, the interval of ``Model``.
    @MainActor
    func advanceToNextCheck() {
        advance(by: .seconds(5))
    }
}
