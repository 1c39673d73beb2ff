import CNcurses
import Foundation
import Testing

/// The signal handlers that the terminal's guard installs in this process. Each test switches the guard off again.
@Suite("Guard against signals", .serialized)
struct SignalGuardTests {
    private typealias Handler = @convention(c) (Int32) -> Void

    private static let own: Handler = { _ in }

    /// Sets a handler and returns the address of the previous one.
    private func set(_ number: Int32, _ handler: Handler?) -> Int {
        unsafeBitCast(signal(number, handler), to: Int.self)
    }

    private func address(_ handler: Handler?) -> Int { unsafeBitCast(handler, to: Int.self) }

    @Test("Signal handlers of the program are kept, and all others are restored")
    func programSignalHandlersStay() {
        _ = set(SIGUSR2, Self.own)
        var modes = termios()
        #expect(cncurses_guard_crashes(1, &modes, "", 0))
        let (before, later) = (set(SIGUSR2, Self.own), set(SIGALRM, Self.own))
        cncurses_unguard_crashes()
        #expect(before == address(Self.own))
        #expect(later != address(nil), "a signal without a handler was guarded")
        #expect(set(SIGALRM, nil) == address(Self.own))
        #expect(set(SIGUSR2, nil) == address(Self.own))
        #expect(set(SIGVTALRM, nil) == address(nil))
    }
}
