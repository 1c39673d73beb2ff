import Bellerophon

/// Checks for newer content at the start, and then at an interval.
@MainActor
final class ContentSchedule {
    private let contents: ContentLibrary
    private let interval: Duration
    private let clock: any ManagerClock
    private var timer: ScheduledCall?

    init(_ contents: ContentLibrary, every interval: Duration, clock: any ManagerClock) {
        self.contents = contents
        self.interval = interval
        self.clock = clock
    }

    func start() {
        contents.start()
        sync()
    }

    private func sync() {
        contents.sync()
        // Varied by up to 10 %, so that many clients do not ask simultaneously.
        timer = clock.schedule(after: interval * Double.random(in: 0.9...1.1)) { [weak self] in self?.sync() }
    }

    func stopTimer() { timer?.cancel() }
}
