import TerminalShadow
import TestSupport
import Testing

/// What a terminal and a program get does not depend on how the output was cut into chunks.
@Suite("Relay")
struct RelayTests {
    @Test(arguments: Recording.all) func liveOutputIsRelayedUnchanged(recording: Recording) {
        var relay = ChunkedRelay(columns: Recording.columns, rows: Recording.rows, seed: 3)
        relay.output(recording.bytes[...])
        #expect(relay.terminal + relay.cover.flush() == recording.bytes)
        #expect(relay.program.isEmpty)
    }

    @Test(arguments: Seed.range("live output", default: 0..<50)) func liveRandomOutputIsRelayedUnchanged(seed: UInt64) {
        let stream = RandomStream.bytes(seed: seed, dialect: .xterm)
        var relay = ChunkedRelay(seed: seed)
        relay.output(stream[...])
        #expect(relay.terminal + relay.cover.flush() == stream)
        #expect(relay.program.isEmpty)
    }

    /// Only an unfinished sequence or character is held back.
    @Test(arguments: Seed.range("complete output", default: 0..<20)) func nothingCompleteIsHeldBack(seed: UInt64) {
        let stream = RandomStream.bytes(seed: seed, phrases: 60)
        let boundaries = StreamBoundaries(of: stream)
        var cover = ScreenCover(columns: 40, rows: 12), relayed = 0
        for (index, byte) in stream.enumerated() {
            relayed += cover.output([byte]).terminal.count
            #expect(relayed == boundaries.boundary(atOrBefore: index + 1))
        }
    }

    @Test(arguments: Seed.range("chunks of output", default: 0..<50)) func anyChunksCoverAndUncoverAlike(seed: UInt64) {
        let stream = RandomStream.bytes(seed: seed, dialect: .xterm)
        var random = SplitMix64(seed: seed)
        for _ in 0..<4 {
            let start = Int.random(in: 0...stream.count, using: &random),
                end = Int.random(in: start...stream.count, using: &random)
            let results = [nil, seed &* 2, seed &* 2 &+ 1].map { seed in
                var relay = ChunkedRelay(seed: seed)
                relay.output(stream[..<start])
                let cover = relay.cover.cover()
                relay.output(stream[start..<end])
                let uncover = relay.cover.uncover()
                relay.output(stream[end...])
                return [cover, uncover, relay.terminal, relay.program, relay.cover.flush(), [relay.cover.isInexact ? 1 : 0]]
            }
            #expect(results[1] == results[0])
            #expect(results[2] == results[0])
        }
    }
}

/// Feeds a cover in random chunks, or in one for each part of the output if there is no seed.
struct ChunkedRelay {
    var cover: ScreenCover
    private(set) var terminal: [UInt8] = []
    private(set) var program: [UInt8] = []
    private var random: SplitMix64?

    init(columns: Int = 40, rows: Int = 12, seed: UInt64?) {
        cover = ScreenCover(columns: columns, rows: rows)
        cover.anchor(column: 0, row: 0)
        random = seed.map { SplitMix64(seed: $0) }
    }

    private mutating func chunk(atMost count: Int) -> Int {
        guard var random else { return count }
        defer { self.random = random }
        return min(
            count, Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : Int.random(in: 1...300, using: &random))
    }

    mutating func output(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let count = chunk(atMost: rest.count)
            let relayed = cover.output(Array(rest.prefix(count)))
            terminal += relayed.terminal
            program += relayed.program
            rest = rest.dropFirst(count)
        }
    }
}
