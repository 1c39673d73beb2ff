import TestSupport
import Testing

@testable import TerminalShadow

/// A thousand sessions for each terminal: `make proof`.
@Suite("Live terminals, many sessions", .serialized)
struct LiveTerminalProof {
    @Test(.enabled(if: Products.find("tmux") != nil, "tmux is not installed"), arguments: 0..<10)
    func tmuxShowsNoTrace(part: Int) async throws {
        let first = Seed.of("live tmux", default: 1000) + UInt64(part * 100)
        let failures = try await onOwnThread { try LiveTrial.failures(.tmux, seeds: first..<first + 100) }
        #expect(failures == [])
    }

    @Test(.enabled(if: XtermUnderTest.isInstalled, "xterm or Xvfb is not installed"), arguments: 0..<10)
    func xtermShowsNoTrace(part: Int) async throws {
        let first = Seed.of("live xterm", default: 1000) + UInt64(part * 100)
        let failures = try await onOwnThread { try LiveTrial.failures(.xterm, seeds: first..<first + 100) }
        #expect(failures == [])
    }
}
