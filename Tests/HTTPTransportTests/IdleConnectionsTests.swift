#if os(Linux)
import Testing

@testable import HTTPTransport

@Suite("Idle connections")
struct IdleConnectionsTests {
    private let start = ContinuousClock.now
    private let a = "http://a.example:80"
    private let b = "http://b.example:80"

    private func ends(_ number: Int, to remote: String = "192.0.2.1 80") -> ConnectionEnds {
        ConnectionEnds(local: "192.0.2.9 \(number)", remote: remote)
    }

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func aConnectionIsTakenOnce() {
        let idle = IdleConnections()
        idle.add(ends(1), origin: a, socket: 7, at: start)
        #expect(idle.remove(ends(2), at: start) == nil)
        #expect(idle.remove(ends(1), at: start) == 7)
        #expect(idle.remove(ends(1), at: start) == nil)
    }

    @Test func aFailureEndsAllOfItsOriginAndNoOther() {
        let idle = IdleConnections()
        for number in 1...3 { idle.add(ends(number), origin: a, socket: 1, at: start) }
        idle.add(ends(4, to: "192.0.2.2 80"), origin: b, socket: 4, at: start)
        idle.forget(origin: a, remote: nil)
        for number in 1...3 { #expect(idle.remove(ends(number), at: start) == nil) }
        #expect(idle.remove(ends(4, to: "192.0.2.2 80"), at: start) == 4)
    }

    /// A proxy's connections serve many origins.
    @Test func aFailureEndsAllToTheSamePlace() {
        let idle = IdleConnections()
        idle.add(ends(1), origin: b, socket: 1, at: start)
        idle.forget(origin: a, remote: ends(1).remote)
        #expect(idle.remove(ends(1), at: start) == nil)
    }

    @Test func idlenessIsLimited() {
        let idle = IdleConnections()
        idle.add(ends(1), origin: a, socket: 1, at: start)
        idle.add(ends(2), origin: a, socket: 2, at: start)
        #expect(idle.remove(ends(1), at: after(118)) == 1)
        #expect(idle.remove(ends(2), at: after(119)) == nil)
    }

    @Test func theOldestMakesRoom() {
        let idle = IdleConnections()
        for number in 0...IdleConnections.limit { idle.add(ends(number), origin: a, socket: 1, at: after(number / 2)) }
        let kept = (0...IdleConnections.limit).filter { idle.remove(ends($0), at: after(64)) != nil }
        #expect(kept.count == IdleConnections.limit)
        #expect(kept.contains(IdleConnections.limit))
    }
}
#endif
