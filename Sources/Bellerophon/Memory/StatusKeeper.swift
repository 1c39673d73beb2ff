import StatusModel

/// Decides when the last status is written to the store.
///
/// A new status is written at the end of its turn. At most four are written per second, because a stream may deliver
/// thousands; the last one is always written. A status that was only confirmed is written once in ten minutes, to save
/// its age.
final class StatusKeeper: @unchecked Sendable {
    // Used only with the lock of its core.
    static let writesPerSecond = 4
    /// The time between two writes of a status that was only confirmed; shorter if the maximum age is short.
    static let confirmationPause = Duration.seconds(600)
    /// How often a write is tried again, a second later, while another process holds the lock.
    static let attempts = 5

    private let store: (any StatusStore)?
    private let clock: CoreClock
    private let pause: Duration
    /// The record to write at the end of the turn, or of the second if the write limit is reached.
    private var waiting: StatusRecord?
    private var second: ScheduledCall?
    private var writes = 0
    private var attempts = 0
    private var keptAt: MonotonicInstant?
    private var isRefused = false
    /// The last problem with the store; nil after a successful write.
    private(set) var problem: String?
    /// Called for every problem.
    var onProblem: ((String) -> Void)?

    init(store: (any StatusStore)?, maximumAge: Duration?, clock: CoreClock) {
        self.store = store
        self.clock = clock
        pause = maximumAge.map { min(Self.confirmationPause, $0 / 10) } ?? Self.confirmationPause
    }

    /// The record of an earlier run; nil if there is none.
    func load() throws -> StatusRecord? { try store?.load() }

    /// Marks the stored record as rejected: the next record replaces it in any case.
    func refuse() { isRefused = true }

    func complain(_ text: String) {
        problem = text
        onProblem?(text)
    }

    /// Takes an accepted status.
    /// - Parameter isNew: false if the current status was only confirmed.
    func keep(isNew: Bool, _ record: () -> StatusRecord) {
        let isDue = keptAt.map { $0.duration(to: clock.now) >= pause } ?? true
        guard store != nil, isNew || isDue else { return }
        keptAt = clock.now
        waiting = record()
    }

    /// Writes the waiting record. Called after the window has been updated, because a write may be slow.
    func turnEnded() {
        guard waiting != nil else { return }
        beginSecond()
        guard writes < Self.writesPerSecond else { return }
        writes += 1
        flush()
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

    /// Writes the waiting record now.
    func flush() {
        guard var record = waiting else { return }
        waiting = nil
        record.replacesAnything = isRefused
        do {
            try store?.save(record)
            isRefused = false
            problem = nil
            attempts = 0
        } catch StatusStoreError.locked where attempts < Self.attempts {
            attempts += 1
            waiting = record
            beginSecond()
        } catch {
            attempts = 0
            // The next confirmation tries again.
            keptAt = nil
            complain("the status could not be saved: \(StatusError.text(of: error))")
        }
    }
}
