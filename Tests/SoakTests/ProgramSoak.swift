import Foundation
import TestSupport

/// One run: a program in a terminal, a server, and the records of both.
@MainActor
final class ProgramSoak {
    /// A status of the server: the stage's name in the journal, and words to find on the screen.
    private struct Status {
        let stage: String
        let words: String
        let json: String
    }

    /// After many consecutive faults the program waits up to a minute, plus a tenth and the timeout, possibly twice.
    private static let longestWait = Duration.seconds(180)

    private let plan: SoakPlan
    private let server: HostileServer
    private let home: TestFolder
    private let terminal: TerminalUnderTest
    private var chance: SplitMix64
    private let start = ContinuousClock.now
    private var lastSample = ContinuousClock.now
    private var status = Status(stage: "active", words: "● LIVE", json: HostileServer.live)
    private var turns = 0
    private var publications = 0
    private var faults = 0
    private var highest = 0
    /// The stages in the order in which the server sent them.
    private(set) var told: [String] = []
    private var figures: SoakFigures?

    init(_ plan: SoakPlan) async throws {
        self.plan = plan
        chance = SplitMix64(seed: plan.seed)
        server = try HostileServer()
        home = try TestFolder()
        terminal = try await TerminalUnderTest(
            plan.program,
            arguments: ["run", "--status-url", server.address, "--timeout", "2", "--journal", home.path("journal")],
            home: home
        )
        _ = try await terminal.wait(for: "● LIVE")
        told = ["active"]
    }

    var report: SoakFigures {
        get throws { if let figures { figures } else { throw TestError("the soak has not ended") } }
    }

    /// The stages in the program's journal, in order.
    var seen: [String] {
        (home.text("journal") ?? "").split(separator: "\n").compactMap { line in
            let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return record?["to"] as? String
        }
    }

    func run() async throws {
        try await turn(until: start + plan.warmUp)
        try await calm()
        let warm = try measure()
        try await turn(until: start + plan.duration - plan.idle)
        try await calm()
        let before = try measure()
        let idleStart = ContinuousClock.now
        while idleStart.duration(to: .now) < plan.idle { try await pause(.seconds(1)) }
        let end = try measure()
        let idle = idleStart.duration(to: .now) / .seconds(1)
        figures = SoakFigures(
            plan: plan, warm: warm, end: end, idleShare: (end.processorTime - before.processorTime) / idle,
            highest: highest, turns: turns, faults: faults, requests: server.requests.count
        )
        try await terminal.quit()
        _ = try await terminal.waitForExit()
    }

    // MARK: Rounds

    /// Random statuses and faults. After each the screen shows the last status.
    private func turn(until end: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < end {
            if Int.random(in: 0..<3, using: &chance) == 0 { try await publish(random()) } else { try await hurt() }
        }
    }

    private func random() -> Status {
        turns += 1
        let words = "Notice \(turns)"
        let text = String(repeating: "\(words): back soon. ", count: Int.random(in: 1...20, using: &chance))
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: return Status(stage: "active", words: "● LIVE", json: HostileServer.live)
        case 1: return Status(stage: "killed", words: words, json: Self.json(killed: true, text))
        default: return Status(stage: "updateRequired", words: words, json: Self.json(killed: false, text))
        }
    }

    private static func json(killed: Bool, _ message: String) -> String {
        #"{"apiInactive":\#(killed),"forceUpdate":\#(!killed),"retryInterval":1,"userMessage":"\#(message)"}"#
    }

    /// A valid status is shown after any fault, whether sent plain, compressed, or slowly.
    private func publish(_ next: Status) async throws {
        if next.stage != status.stage { told.append(next.stage) }
        status = next
        publications += 1
        let ways: [Behaviour] = [.status(next.json), .status(next.json, etag: "\"\(publications)\""), .gzip(next.json)]
        server.reply = ways.randomElement(using: &chance) ?? .status(next.json)
        try await see("what the server said shows")
    }

    /// A few consecutive faults change nothing.
    private func hurt() async throws {
        let count = Int.random(in: 1...3, using: &chance)
        let before = server.requests.count
        for _ in 0..<count {
            faults += 1
            server.enqueue(SoakFaults.all.randomElement(using: &chance) ?? .hangUp)
        }
        _ = try await server.exchange(number: before + count, within: Self.longestWait)
        try await see("a fault changes nothing")
        // A successful check ends the series of faults and the backoff.
        _ = try await server.request(number: before + count + 1, within: Self.longestWait)
    }

    /// Waits in a stable state on the dashboard, so that figures can be compared.
    private func calm() async throws {
        try await publish(Status(stage: "active", words: "● LIVE", json: HostileServer.live))
        let next = server.requests.count
        for number in (next + 1)...(next + 5) { _ = try await server.request(number: number, within: Self.longestWait) }
    }

    private func see(_ subject: String) async throws {
        let end = ContinuousClock.now + Self.longestWait
        while try await !isShown() {
            guard ContinuousClock.now < end else {
                throw TestError(
                    "\(subject): not so after status \(turns), fault \(faults), seed \(plan.seed)",
                    detail: "expected “\(status.words)”, and the screen is:\n\(try await terminal.screen)")
            }
            try await pause(.milliseconds(200))
        }
    }

    private func isShown() async throws -> Bool {
        let screen = try await terminal.screen
        return screen.contains(status.words) && (status.stage == "active" || !screen.contains("● LIVE"))
    }

    // MARK: Figures

    private func pause(_ time: Duration) async throws {
        try await Task.sleep(for: time)
        guard lastSample.duration(to: .now) >= .seconds(10) else { return }
        lastSample = .now
        let figures = try measure()
        print(
            "  \(start.duration(to: .now).components.seconds) s: \(figures.resident) KiB, \(figures.descriptors) descriptors,",
            "\(figures.threads) threads, \(figures.processorTime) s of processor, \(turns) statuses, \(faults) faults")
    }

    private func measure() throws -> ProgramFigures {
        guard let figures = ProgramFigures(of: terminal.processIdentifier) else {
            throw TestError("the program has ended after status \(turns), fault \(faults), seed \(plan.seed)")
        }
        highest = max(highest, figures.resident)
        return figures
    }
}
