import Testing

@testable import BellerophonCurses

@Suite("Pace of paints")
struct PaintPacerTests {
    private var pacer = PaintPacer()
    private var now = ContinuousClock.now

    /// Paints as early as allowed.
    /// - Returns: the time of each paint, relative to the first.
    private mutating func paint(_ count: Int) -> [Duration] {
        let start = now
        return (0..<count).map { _ in
            if let wait = pacer.wait(at: now) { now += wait }
            #expect(pacer.wait(at: now) == nil)
            pacer.painted(at: now)
            return start.duration(to: now)
        }
    }

    @Test mutating func aFewChangesOnAQuietScreenArePaintedAtOnce() {
        #expect(paint(PaintPacer.burst) == Array(repeating: .zero, count: PaintPacer.burst))
        now += .seconds(1)
        #expect(paint(PaintPacer.burst) == Array(repeating: .zero, count: PaintPacer.burst))
    }

    @Test mutating func aFloodIsPaintedEvery16Ms() {
        let times = paint(104).dropFirst(PaintPacer.burst)
        #expect(times.first == .milliseconds(16) && times.last == .milliseconds(1600))
    }
}
