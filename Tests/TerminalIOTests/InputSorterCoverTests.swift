import TerminalUI
import TestSupport
import Testing

@testable import TerminalIO

/// The cover comes and goes while input arrives.
@Suite("Input sorter and the cover")
struct InputSorterCoverTests {
    @Test("Input begun before the cover is completed for the program")
    func startedInputGoesToProgram() {
        var sorter = InputSorter()
        #expect(sorter.followLive(Array("ab\u{1B}[200~pas".utf8)) == Array("ab\u{1B}[200~pas".utf8))
        sorter.beginCover()
        #expect(sorter.sort(Array("te q\u{1B}[201~q".utf8)) == [.reply(Array("te q\u{1B}[201~".utf8)), .key(.character("q"))])
    }

    @Test func anEscapeThatWasTypedLiveIsOverAfterATime() {
        var sorter = InputSorter()
        #expect(sorter.followLive([0x1B]) == [0x1B])
        #expect(sorter.isIncomplete)
        #expect(sorter.flush() == [])
        sorter.beginCover()
        #expect(sorter.sort(Array("q".utf8)) == [.key(.character("q"))])
    }

    @Test("A key begun on the cover does not reach the program")
    func coverKeyStaysOnCover() {
        var sorter = InputSorter().covered()
        #expect(sorter.sort(Array("\u{1B}[".utf8)) == [])
        sorter.endCover()
        #expect(sorter.followLive(Array("Ax".utf8)) == Array("x".utf8))
        sorter.beginCover()
        #expect(sorter.sort([0x1B]) == [])
        sorter.endCover()
        #expect(sorter.flush() == [])
        #expect(sorter.followLive(Array("x".utf8)) == Array("x".utf8))
    }

    @Test("A paste begun on the cover does not reach the program")
    func coverPasteStaysOnCover() {
        var sorter = InputSorter().covered()
        #expect(sorter.sort(Array("\u{1B}[200~secret".utf8)) == [])
        sorter.endCover()
        #expect(sorter.followLive(Array("secret\u{1B}[20".utf8)) == [])
        #expect(sorter.followLive(Array("1~x".utf8)) == Array("x".utf8))
    }

    @Test("A reply begun under the cover reaches the program completely after it")
    func replyAcrossCoverEndIsWhole() {
        for reply in InputToken.replies {
            let bytes = reply.bytes
            for cut in 1..<bytes.count {
                var sorter = InputToken.sorter()
                sorter.beginCover()
                let items = sorter.sort(Array(bytes[..<cut]))
                sorter.endCover()
                #expect(items == [])
                #expect(sorter.followLive(bytes[cut...] + [0x78]) == bytes + [0x78], "cut at \(cut)")
            }
        }
    }

    // MARK: Properties

    @Test func theDivisionIntoChunksMakesNoDifference() {
        var random = SplitMix64(seed: Seed.of("chunks of input", default: 1))
        for _ in 0..<400 {
            let bytes = InputToken.noise(using: &random)
            var whole = InputToken.sorter(), parts = whole
            whole.beginCover()
            parts.beginCover()
            let expected = whole.sort(bytes)
            var found: [InputSorter.Item] = []
            for chunk in bytes.chunks(upTo: 5, using: &random) { found += parts.sort(chunk) }
            #expect(found == expected)
            #expect(parts == whole)
        }
    }

    /// Whole units with the cover coming and going at any byte: each belongs to whom its first byte belonged.
    @Test func everyUnitGoesWhereItBegan() {
        var random = SplitMix64(seed: Seed.of("covers during input", default: 2))
        for _ in 0..<400 {
            var sorter = InputSorter()
            var isCovered = false
            var program: [UInt8] = [], keys: [Key] = []
            var expectedProgram: [UInt8] = [], expectedKeys: [Key] = []
            for _ in 0..<20 {
                let token = InputToken.all.randomElement(using: &random) ?? .init("x")
                let beganCovered = isCovered
                token.awaited.map { sorter.expect($0) }
                for (index, byte) in token.bytes.enumerated() {
                    if index > 0, Int.random(in: 0..<4, using: &random) == 0 {
                        isCovered.toggle()
                        if isCovered { sorter.beginCover() } else { sorter.endCover() }
                    }
                    if isCovered {
                        for item in sorter.sort([byte]) {
                            switch item {
                            case .reply(let bytes): program += bytes
                            case .key(let key): keys.append(key)
                            }
                        }
                    } else {
                        program += sorter.followLive([byte])
                    }
                }
                if !beganCovered || token.isReply { expectedProgram += token.bytes }
                if beganCovered, isCovered, let key = token.key { expectedKeys.append(key) }
            }
            #expect(program == expectedProgram)
            #expect(keys == expectedKeys)
        }
    }

    @Test func noiseWithFlushesNeverInventsBytes() {
        var random = SplitMix64(seed: Seed.of("flushes of input", default: 3))
        for _ in 0..<400 {
            let bytes = InputToken.noise(using: &random)
            var sorter = InputToken.sorter(longestReply: 64)
            var replied: [UInt8] = []
            var itemCount = 0
            for chunk in bytes.chunks(upTo: 9, using: &random) {
                var items: [InputSorter.Item]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: items = sorter.flush()
                case 1: sorter.beginCover(); items = []
                case 2: sorter.endCover(); items = []
                default: items = []
                }
                items += sorter.sort(chunk)
                itemCount += items.count
                for case .reply(let part) in items { replied += part }
            }
            #expect(replied.isSubsequence(of: bytes))
            #expect(itemCount <= bytes.count)
        }
    }
}
