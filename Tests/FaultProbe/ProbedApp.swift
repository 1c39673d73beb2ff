import Bellerophon
import Foundation

/// The manager with its real clock, source and main loop, without a window.
@MainActor
final class ProbedApp {
    private let options: ProbeOptions
    private let manager: BellerophonManager
    private let heartbeat = Heartbeat()
    private var ended = 0
    private var isChecked = false
    private var failed = 0
    private var otherStage: String?
    /// Releasing a stream ends its connections.
    private var stream: URLSessionStatusStream?
    private var hasStream = false
    private var taken: [Int32] = []

    static func run(_ options: ProbeOptions) {
        ProbedApp(options).run()
    }

    private init(_ options: ProbeOptions) {
        self.options = options
        var limits = URLSessionStatusSource.Limits()
        if let timeout = options.timeout { limits.deadline = .seconds(timeout) }
        var config = BellerophonConfig(window: nil, source: URLSessionStatusSource(url: options.url, limits: limits))
        config.store = options.store.map { FileStatusStore(url: $0) }
        config.transport = .poll
        manager = BellerophonManager(config: config)
        manager.onReport = { [weak self] in self?.record($0) }
    }

    private func record(_ report: StatusReport) {
        switch report {
        case .checkSucceeded(_, _, let verdict): printLine("status", verdict.stage.rawValue)
        case .checkFailed(_, let error):
            printLine("error", error.description)
            failed += 1
        case .remark(let text): return printLine("remark", text)
        default: return
        }
        ended += 1
    }

    private func printLine(_ subject: String, _ text: String) {
        Line.print("\(subject): \(text)")
    }

    private func run() {
        let before = Memory.peak
        options.stream.map(openStream)
        manager.checkAppStatus()
        printLine("start", manager.machine.stage.rawValue)
        heartbeat.start()
        // The status is saved before the check returns, and what is to be said of that was said.
        Task { @MainActor in
            _ = try? await manager.check()
            isChecked = true
        }
        turn { self.isChecked }
        printLine("stage", manager.machine.stage.rawValue)
        if let next = options.next { checkOther(next) }
        let end = ContinuousClock.now + .seconds(options.seconds)
        if options.seconds > 0 { turn { ContinuousClock.now >= end } }
        if options.starves { starveAndRecover() }
        printLine("grown", "\((Memory.peak - before) / 1024)")
        printLine("gap", "\(heartbeat.longestGap / .milliseconds(1))")
        printLine("turn", "\(heartbeat.longestTurn / .milliseconds(1))")
        exit(0)
    }

    private func turn(until isDone: () -> Bool) {
        let end = ContinuousClock.now + .seconds(60)
        while !isDone(), ContinuousClock.now < end {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
    }

    /// Checks another server over the same transport.
    private func checkOther(_ url: URL) {
        _ = URLSessionStatusSource(url: url).fetchStatus { result in
            let found = (try? result.get())?.document.verdict(for: AppFacts(), at: nil).stage.rawValue ?? "none"
            DispatchQueue.main.async { MainActor.assumeIsolated { self.otherStage = found } }
        }
        turn { self.otherStage != nil }
        printLine("then", otherStage ?? "nothing")
    }

    /// Opens a stream and waits for its first heartbeat.
    private func openStream(_ url: URL) {
        let stream = URLSessionStatusStream(url: url)
        self.stream = stream
        _ = stream.connect(lastEventID: nil) { signal in
            guard signal == .heartbeat else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { self.hasStream = true } }
        }
        turn { self.hasStream }
        printLine("stream", "\(hasStream)")
    }

    // MARK: Starving

    /// Checks with no free file descriptor until a check fails, then once more after releasing them.
    private func starveAndRecover() {
        for _ in 0..<20 where failed == 0 {
            // An earlier exchange may have released descriptors since.
            takeDescriptors()
            checkOnceMore()
        }
        taken.forEach { close($0) }
        checkOnceMore()
    }

    private func takeDescriptors() {
        while true {
            let descriptor = open("/dev/null", O_RDONLY)
            guard descriptor >= 0 else { return }
            taken.append(descriptor)
        }
    }

    private func checkOnceMore() {
        let before = ended
        manager.checkAppStatus()
        turn { self.ended > before }
        printLine("stage", manager.machine.stage.rawValue)
    }
}

/// Measures every few milliseconds whether the main actor responds.
@MainActor
final class Heartbeat {
    /// In wall-clock time: how long a key press would have waited, including other work of the machine.
    private(set) var longestGap = Duration.zero
    /// In processor time of the thread: the part that this process caused.
    private(set) var longestTurn = Duration.zero
    private var last: (wall: ContinuousClock.Instant, work: Duration)?
    private let timer = DispatchSource.makeTimerSource(queue: .main)

    func start() {
        timer.schedule(deadline: .now(), repeating: .milliseconds(2), leeway: .nanoseconds(0))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.beat() } }
        timer.resume()
    }

    private func beat() {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let now = (wall: ContinuousClock.now, work: Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
        if let last {
            longestGap = max(longestGap, last.wall.duration(to: now.wall))
            longestTurn = max(longestTurn, now.work - last.work)
        }
        last = now
    }
}

/// The peak memory of the process in kilobytes; zero if the system does not report it.
enum Memory {
    static var peak: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
