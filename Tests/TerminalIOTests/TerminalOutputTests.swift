import BellerophonBase
import CPty
import Foundation
import TestSupport
import Testing

@testable import TerminalIO

@Suite("Output to a terminal")
struct TerminalOutputTests {
    private func output(_ pair: FakeTerminal, mayWait: Bool) throws -> TerminalOutput {
        let descriptor = mayWait ? dup(pair.slave) : cpty_reopen_terminal(pair.slave)
        try #require(descriptor >= 0)
        return TerminalOutput(Descriptor(descriptor), mayWait: mayWait)
    }

    @Test("Everything arrives in order, although the terminal takes it late", arguments: [false, true])
    func order(mayWait: Bool) async throws {
        let pair = try FakeTerminal(isRaw: true)
        let output = try output(pair, mayWait: mayWait)
        let expected = (0..<30_000).flatMap { Array("\($0);".utf8) }
        for piece in stride(from: 0, to: expected.count, by: 1000) {
            output.write(Array(expected[piece..<min(piece + 1000, expected.count)]))
        }
        #expect(!output.isIdle, "the terminal has not taken it")
        var found: [UInt8] = []
        try await eventually("everything has arrived") {
            found += pair.read()
            return found.count >= expected.count ? true : nil
        }
        #expect(found == expected)
        try await eventually("nothing waits") { output.isIdle ? true : nil }
        output.close()
    }

    @Test("A terminal that takes nothing keeps no writer waiting, and what waits can be dropped", arguments: [false, true])
    func stuckTerminal(mayWait: Bool) async throws {
        let pair = try FakeTerminal(isRaw: true)
        let output = try output(pair, mayWait: mayWait)
        output.write([UInt8](repeating: 0x78, count: 1 << 20))
        output.write("end")
        #expect(!output.flush(within: .milliseconds(20)))
        #expect(output.discard())
        #expect(!output.discard())
        var found: [UInt8] = []
        try await eventually("what was taken has arrived") {
            found += pair.read()
            return output.isIdle ? true : nil
        }
        found += pair.read()
        #expect(found.count < 1 << 20 && !found.contains(UInt8(ascii: "e")))
        output.close()
    }

    @Test("A terminal that is gone drops everything")
    func goneTerminal() async throws {
        let pair = try FakeTerminal(isRaw: true)
        let output = try output(pair, mayWait: false)
        pair.hangUp()
        output.write([UInt8](repeating: 0x78, count: 1 << 20))
        try await eventually("nothing waits") { output.isIdle ? true : nil }
    }
}
