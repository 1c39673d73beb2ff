import StatusModel

/// Decides when the last status is written to the store.
///
/// A new status is written when the turn that brought it ends. At most four are written in a second, since a stream may
/// bring thousands; the last one is never left out. A status that was only confirmed is written once in ten minutes, for
/// its age.
@MainActor
final class StatusKeeper {
    static let writesPerSecond = 4
    /// Between two writes of a status that was only confirmed; less where a status grows stale sooner.
    static let confirmationPause = Duration.seconds(600)

    private let store: (any StatusStore)?
    private let clock: any ManagerClock
    private let pause: Duration
    /// To be written when the turn ends, or the second in which there were enough writes.
    private var waiting: StatusRecord?
    private var second: ScheduledCall?
    private var writes = 0
    private var keptAt: MonotonicInstant?
    private var isRefused = false
    /// What is wrong with the store, until a write went well.
    private(set) var problem: String?
    /// Told of every problem.
    var onProblem: ((String) -> Void)?

    init(store: (any StatusStore)?, maximumAge: Duration?, clock: any ManagerClock) {
        self.store = store
        self.clock = clock
        pause = maximumAge.map { min(Self.confirmationPause, $0 / 10) } ?? Self.confirmationPause
    }

    /// The record of an earlier run; nil where there is none.
    func load() throws -> StatusRecord? { try store?.load() }

    /// The record of the last run is not believed: it has no say in what replaces it, either.
    func refuse() { isRefused = true }

    func complain(_ text: String) {
        problem = text
        onProblem?(text)
    }

    /// Takes a status that counts.
    /// - Parameter isNew: false where it was only confirmed.
    func keep(isNew: Bool, _ record: () -> StatusRecord) {
        let isDue = keptAt.map { $0.duration(to: clock.now) >= pause } ?? true
        guard store != nil, isNew || isDue else { return }
        keptAt = clock.now
        waiting = record()
    }

    /// Writes what waits, after the window has been updated: a write takes as long as the disk takes.
    func turnEnded() {
        guard waiting != nil else { return }
        if second == nil {
            writes = 0
            second = clock.schedule(after: .seconds(1)) { [weak self] in
                self?.second = nil
                self?.flush()
            }
        }
        guard writes < Self.writesPerSecond else { return }
        writes += 1
        flush()
    }

    /// Writes at once what waits.
    func flush() {
        guard var record = waiting else { return }
        waiting = nil
        record.replacesAnything = isRefused
        do {
            try store?.save(record)
            isRefused = false
            problem = nil
        } catch {
            complain("the status could not be saved: \(StatusError.text(of: error))")
        }
    }
}
