import Testing

@testable import TerminalGuard

/// Terminals of different speeds, whose kernel holds some of what they were sent.
@Suite("How much output a guard reads")
struct OutputPacerTests {
    private var pacer = OutputPacer(start: start)
    private static let start = ContinuousClock.now

    /// A terminal that shows a number of bytes per second, behind a queue of the kernel.
    private struct Terminal {
        let bytesPerSecond: Double
        /// How often the terminal empties the queue, in seconds.
        var step = 0.005
        var queue = 20480
        private(set) var held = 0.0

        init(bytesPerSecond: Double, step: Double = 0.005) {
            self.bytesPerSecond = bytesPerSecond
            self.step = step
        }

        mutating func accept(_ count: Int) -> Int {
            let taken = min(count, queue - Int(held))
            held += Double(taken)
            return taken
        }

        mutating func show() { held = max(0, held - bytesPerSecond * step) }
    }

    /// A program that writes without end, and what waits for its terminal.
    private struct Session {
        var terminal: Terminal
        var pacer = OutputPacer(start: start)
        var seconds = 0.0
        var waiting = 0
        /// The most bytes that have waited after a read.
        var mostWaiting = 0
        var sent = 0

        var now: ContinuousClock.Instant { start + .seconds(seconds) }

        mutating func send() {
            let taken = terminal.accept(waiting)
            waiting -= taken
            sent += taken
            pacer.sent(taken, waiting: waiting, at: now)
        }

        /// Reads and sends until the terminal is behind, or for a number of reads.
        mutating func read() {
            for _ in 0..<100 {
                let count = pacer.allowance(waiting: waiting, at: now)
                guard count > 0 else { return }
                waiting += count
                send()
                mostWaiting = max(mostWaiting, waiting)
            }
        }

        mutating func run(for time: Double) {
            let end = seconds + time
            while seconds < end {
                read()
                seconds += terminal.step
                terminal.show()
                if waiting > 0 { send() }
            }
        }

        mutating func pause(for time: Double) {
            let end = seconds + time
            while seconds < end {
                seconds += terminal.step
                terminal.show()
            }
        }
    }

    @Test(
        "At most a fifth of a second of output waits in the terminal's queue",
        arguments: [2400.0, 11_500, 50_000, 200_000, 1_000_000, 20_000_000])
    func queueIsLimitedToTerminalRate(bytesPerSecond: Double) {
        var session = Session(terminal: Terminal(bytesPerSecond: bytesPerSecond))
        for _ in 0..<5 {
            session.run(for: 3)
            session.pause(for: 4)
        }
        let most = max(Double(OutputPacer.smallest), bytesPerSecond / 5)
        // The first piece after a pause may find the kernel's queue full, if the terminal is very slow.
        #expect(Double(session.mostWaiting) <= max(most, bytesPerSecond < 5000 ? 4096 : 0))
    }

    @Test(arguments: [2400.0, 11_500, 50_000, 200_000, 1_000_000])
    func aTerminalIsNeverIdleWhileOutputIsThere(bytesPerSecond: Double) {
        var session = Session(terminal: Terminal(bytesPerSecond: bytesPerSecond))
        session.run(for: 10)
        #expect(Double(session.sent) >= bytesPerSecond * 10)
    }

    @Test("A terminal that drains its queue in bursts is not treated as a fast one")
    func burstyTerminalIsNotFast() {
        var session = Session(terminal: Terminal(bytesPerSecond: 11_500, step: 0.35))
        session.run(for: 30)
        #expect(session.mostWaiting <= 4096)
    }

    @Test mutating func aFastTerminalSoonGetsTheLargestPieces() {
        var total = 0
        var pieces = 0
        while pacer.allowance(waiting: 0, at: Self.start) < OutputPacer.largest {
            let count = pacer.allowance(waiting: 0, at: Self.start)
            pacer.sent(count, waiting: 0, at: Self.start)
            total += count
            pieces += 1
            guard pieces < 100 else { break }
        }
        #expect(pieces < 50 && total < 1 << 18, "\(pieces) pieces, \(total) bytes")
    }

    @Test mutating func nothingIsReadWhileAnythingWaits() {
        pacer.sent(1 << 20, waiting: 1, at: Self.start)
        #expect(pacer.allowance(waiting: 1, at: Self.start) == 0)
        pacer.sent(1, waiting: 0, at: Self.start)
        #expect(pacer.allowance(waiting: 0, at: Self.start) > 0)
    }

    @Test("The measured output rate expires after a pause")
    mutating func oldMeasurementExpires() {
        pacer.sent(1 << 20, waiting: 0, at: Self.start)
        #expect(pacer.allowance(waiting: 0, at: Self.start + .milliseconds(100)) == OutputPacer.largest)
        #expect(pacer.allowance(waiting: 0, at: Self.start + .milliseconds(400)) == OutputPacer.first)
        #expect(pacer.allowance(waiting: 0, at: Self.start + .seconds(86400)) == OutputPacer.first)
    }

    @Test mutating func theFirstPieceAfterAPauseIsAScreenful() {
        let now = Self.start + .seconds(5)
        #expect(pacer.allowance(waiting: 0, at: now) == OutputPacer.first)
        pacer.sent(OutputPacer.first, waiting: 0, at: now)
        #expect(pacer.allowance(waiting: 0, at: now) == OutputPacer.smallest)
    }
}
