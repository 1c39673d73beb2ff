import CPty
import TestSupport
import Testing

@testable import BellerophonCurses

@Suite("The bytes that ncurses writes, in memory")
struct CapturePipeTests {
    @Test("Outputs larger than a pipe are taken one after the other, and nothing is left after the writer has closed its end")
    func largeOutputs() async throws {
        var capture: CapturePipe? = try CapturePipe()
        let input = try #require(capture).input
        for size in [0, 1, 300_000, 2_000_000, 7] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            #expect(cpty_write(input, bytes, size) == size)
            #expect(capture?.drain() == bytes)
            #expect(capture?.drain() == [])
        }
        weak let left = capture
        capture = nil
        _ = cpty_close(input)
        try await eventually("end of the capture") { left == nil ? () : nil }
    }
}
