import StatusModel
import Synchronization

/// Decides when the last status is written to the store, one write at a time.
///
/// A new status is written after its turn. At most four are written per second, because a stream may deliver thousands; the
/// last one is always written. A status that was only confirmed is written once in ten minutes, to save its age.
///
/// The store is used without the lock of the core: a disk that does not answer keeps neither the app nor its view waiting.
final class StatusKeeper: @unchecked Sendable {
    // Used only with the lock of its core.
    static let writesPerSecond = 4
    /// The time between two writes of a status that was only confirmed; shorter if the maximum age is short.
    static let confirmationPause = Duration.seconds(600)
    /// How often a write is tried again, a second later, while another process holds the lock.
    static let attempts = 5
    /// How long a check, a suspension and a flush wait for a write.
    static let patience = Duration.seconds(2)

    private let loaded = Mutex<Result<StatusRecord?, any Error>?>(nil)
    private let store: (any StatusStore)?
    private let clock: CoreClock
    private let pause: Duration
    /// The record to write at the end of the turn, or of the second if the write limit is reached.
    private var waiting: StatusRecord?
    private var second: ScheduledCall?
    private var writes = 0
    private var attempts = 0
    private var keptAt: MonotonicInstant?
    /// Whether the stored record was rejected: the next record replaces it in any case.
    var isRefused = false
    /// Whether the waiting record waits for the lock of another process, until the end of the second.
    private var waitsForLock = false
    /// When the present write began; nil if nothing is being written.
    private(set) var writingSince: MonotonicInstant?
    var isWriting: Bool { writingSince != nil }
    private var afterWrite: [() -> Void] = []
    /// The last problem with the store; nil after a successful write.
    private(set) var problem: String? {
        didSet { if problem != nil || oldValue != nil { onProblem?(problem) } }
    }
    /// Called for every problem, and with nil when there is none any more.
    var onProblem: ((String?) -> Void)?
    /// Runs work with the lock.
    var enter: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }

    init(store: (any StatusStore)?, maximumAge: Duration?, clock: CoreClock) {
        self.store = store
        self.clock = clock
        pause = maximumAge.map { min(Self.confirmationPause, $0 / 10) } ?? Self.confirmationPause
    }

    /// Reads the record of an earlier run, once, on any thread and without the lock.
    /// - Returns: the record, if this call has read it.
    @discardableResult
    func readStore() -> StatusRecord? {
        loaded.withLock { loaded in
            guard loaded == nil else { return nil }
            let result = Result { try store?.load() }
            loaded = result
            return try? result.get()
        }
    }

    /// The record of an earlier run; nil if there is none.
    func restore() throws -> StatusRecord? {
        readStore()
        return try loaded.withLock { $0 }?.get()
    }

    func reportProblem(_ text: String) { problem = text }

    /// Takes an accepted status.
    /// - Parameter isNew: false if the current status was only confirmed.
    func enqueue(isNew: Bool, _ record: () -> StatusRecord) {
        let isDue = keptAt.map { $0.duration(to: clock.now) >= pause } ?? true
        guard store != nil, isNew || isDue else { return }
        keptAt = clock.now
        (waiting, waitsForLock) = (record(), false)
    }

    /// Begins to write the waiting record. Called after the window has been updated.
    func turnEnded() {
        guard waiting != nil, !waitsForLock else { return }
        beginSecond()
        guard writes < Self.writesPerSecond, !isWriting else { return }
        writes += 1
        write()
    }

    /// Counts the writes of one second, and writes what waits at its end.
    private func beginSecond() {
        guard second == nil else { return }
        writes = 0
        second = clock.schedule(after: .seconds(1)) { [weak self] in
            self?.second = nil
            self?.flush()
        }
    }

    /// Writes the waiting record now, and what is being written before it.
    /// - Parameter done: called when nothing is being written, with the lock.
    func flush(_ done: @escaping () -> Void = {}) {
        if isWriting { return afterWrite.append { [weak self] in self?.flush(done) } }
        guard waiting != nil else { return done() }
        afterWrite.append(done)
        write()
    }

    private func write() {
        guard var record = waiting, let store else { return }
        (waiting, waitsForLock, writingSince) = (nil, false, clock.now)
        record.replacesAnything = isRefused
        clock.base.perform { [self, record, enter] in
            let outcome = Result { try store.save(record) }
            enter { self.wrote(record, outcome) }
        }
    }

    private func wrote(_ record: StatusRecord, _ outcome: Result<Void, any Error>) {
        writingSince = nil
        do {
            try outcome.get()
            (isRefused, attempts) = (false, 0)
            problem = nil
        } catch StatusStoreError.locked where attempts < Self.attempts {
            attempts += 1
            waitsForLock = waiting == nil
            waiting = waiting ?? record
            beginSecond()
        } catch {
            attempts = 0
            // The next confirmation tries again.
            keptAt = nil
            reportProblem("the status could not be saved: \(StatusError.text(of: error))")
        }
        let calls = afterWrite
        afterWrite = []
        for call in calls { call() }
    }
}
