import Testing

@testable import TerminalShadow

struct SequenceTokenizerTests {
    /// A token with its bytes as text; runs of text that follow each other are joined.
    struct Part: Equatable {
        var token: SequenceTokenizer.Token
        var bytes: [UInt8]
    }

    static func parts(
        _ chunks: [[UInt8]], _ dialect: TerminalDialect = TerminalDialect()
    ) -> (parts: [Part], tokenizer: SequenceTokenizer) {
        var tokenizer = SequenceTokenizer(dialect: dialect)
        var parts: [Part] = []
        for chunk in chunks {
            chunk.withUnsafeBufferPointer { buffer in
                tokenizer.split(buffer) { token, bytes in
                    if token == .text, parts.last?.token == .text {
                        parts[parts.count - 1].bytes += bytes
                    } else {
                        parts.append(Part(token: token, bytes: Array(bytes)))
                    }
                }
            }
        }
        return (parts, tokenizer)
    }

    private func parts(_ text: String) -> [Part] { Self.parts([Array(text.utf8)]).parts }

    @Test(arguments: [
        ("plain\r\n\ttext", [(SequenceTokenizer.Token.text, "plain\r\n\ttext")]),
        ("a\u{1B}[1;31mb", [(.text, "a"), (.control, "\u{1B}[1;31m"), (.text, "b")]),
        ("\u{1B}(0q\u{1B}7", [(.escape, "\u{1B}(0"), (.text, "q"), (.escape, "\u{1B}7")]),
        ("\u{1B}]0;title\u{07}x", [(.string, "\u{1B}]0;title\u{07}"), (.text, "x")]),
        ("\u{1B}]0;title\u{1B}\\x", [(.string, "\u{1B}]0;title\u{1B}\\"), (.text, "x")]),
        ("\u{1B}Pq\u{07}#\u{1B}\\x", [(.string, "\u{1B}Pq\u{07}#\u{1B}\\"), (.text, "x")]),
        ("\u{1B}]0;a\u{1B}[mx", [(.unterminatedString, "\u{1B}]0;a"), (.control, "\u{1B}[m"), (.text, "x")]),
        ("\u{1B}[3\u{18}x", [(.cancelled, "\u{1B}[3\u{18}"), (.text, "x")]),
        ("\u{1B}[3\u{1B}[1mx", [(.cancelled, "\u{1B}[3"), (.control, "\u{1B}[1m"), (.text, "x")]),
        ("\u{1B}[3é", [(.cancelled, "\u{1B}[3"), (.text, "é")]),
        ("\u{1B}[3\r1mx", [(.control, "\u{1B}[3\r1m"), (.text, "x")]),
    ])
    func aStreamIsSplitIntoItsParts(stream: String, expected: [(SequenceTokenizer.Token, String)]) {
        #expect(parts(stream) == expected.map { Part(token: $0.0, bytes: Array($0.1.utf8)) })
    }

    @Test func anUnfinishedSequenceIsHeld() {
        for unfinished in ["\u{1B}", "\u{1B}[", "\u{1B}[1;3", "\u{1B}(", "\u{1B}]0;title", "\u{1B}]0;title\u{1B}", "\u{1B}Pq"] {
            let (parts, tokenizer) = Self.parts([Array(("x" + unfinished).utf8)])
            #expect(parts == [Part(token: .text, bytes: [0x78])])
            #expect(tokenizer.held == Array(unfinished.utf8))
            #expect(!tokenizer.isBetweenTokens)
        }
    }

    @Test func aCharacterIsHeldUntilItIsComplete() {
        let text = Array("é漢😀".utf8)
        for cut in 0...text.count {
            let (parts, tokenizer) = Self.parts([Array(text[..<cut]), Array(text[cut...])])
            #expect(parts == [Part(token: .text, bytes: text)])
            #expect(tokenizer.isBetweenTokens)
        }
        #expect(Self.parts([Array(text.dropLast())]).tokenizer.held == [0xF0, 0x9F, 0x98])
    }

    @Test func bytesThatAreNoCharacterAreNotHeld() {
        let (parts, tokenizer) = Self.parts([[0x61, 0xFF, 0xC3, 0x28, 0xE9]])
        #expect(parts == [Part(token: .text, bytes: [0x61, 0xFF, 0xC3, 0x28])])
        #expect(tokenizer.held == [0xE9])
    }

    @Test func theTokensDoNotDependOnTheChunks() {
        let stream = Array(
            "a\u{1B}[1;3\u{1B}]0;t\u{1B}\\b\u{1B}]8;;u\u{1B}[0mc漢\u{1B}P1$r0m\u{1B}\\d\u{1B}#8\u{18}\u{1B}[?25\u{18}e\u{1B}\u{1B}c"
                .utf8
        )
        let whole = Self.parts([stream]).parts
        for first in 0...stream.count {
            for second in stride(from: first, through: stream.count, by: 3) {
                let chunks = [stream[..<first], stream[first..<second], stream[second...]].map(Array.init)
                #expect(Self.parts(chunks).parts == whole)
            }
        }
        #expect(Self.parts(stream.map { [$0] }).parts == whole)
    }

    @Test("A sequence over the limit is delivered in parts and ends at its terminator")
    func overlongSequenceIsSplit() {
        let chunk = [UInt8](repeating: 0x41, count: 100_000)
        var chunks = [Array("\u{1B}]52;c;".utf8)] + Array(repeating: chunk, count: 11)
        // The ESC of the terminator is the last byte of the chunk that exceeds the limit.
        chunks[11].append(0x1B)
        chunks += [[0x5C], Array("x".utf8)]
        let (parts, tokenizer) = Self.parts(chunks)
        #expect(parts.map(\.token) == [.overlongPart, .overlongEnd, .text])
        #expect(parts.flatMap(\.bytes) == chunks.flatMap(\.self))
        #expect(tokenizer.isBetweenTokens && !tokenizer.isOverlong)
    }
}
