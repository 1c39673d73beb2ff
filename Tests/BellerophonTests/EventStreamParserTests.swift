import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("Server-Sent Events parser")
struct EventStreamParserTests {
    private func items(_ chunks: [[UInt8]]) throws -> [EventStreamParser.Item] {
        var parser = EventStreamParser(limit: 1024)
        return try chunks.flatMap { try parser.consume($0) }
    }

    private func items(_ text: String) throws -> [EventStreamParser.Item] {
        try items([Array(text.utf8)])
    }

    private func event(
        _ data: String, name: String = "message", id: String = "", published: String? = nil
    ) -> EventStreamParser.Item {
        .event(.init(name: name, data: Data(data.utf8), lastEventID: id, published: published))
    }

    // MARK: Chunks

    /// All kinds of line end, a byte order mark at the start and one in a text, an emoji, a comment, an empty field,
    /// and an unfinished event at the end.
    private static let nasty =
        "\u{FEFF}: hello\r\nretry: 2500\r\nevent: status\r\nid: 7-é\r\ndata: {\"a\":\r\ndata:  1}\r\n\r\n"
        + ":\rdata\rdata:\u{FEFF}🐴\rid\r\r\nevent:x\n:\nunknown: y\n\npublished: 12\ndata: z\n\n\n\r\r\ndata: lost"

    @Test func everySplitOfANastyStreamGivesTheSameItems() throws {
        let bytes = Array(Self.nasty.utf8)
        let expected: [EventStreamParser.Item] = [
            .comment, .retry(.milliseconds(2500)), event("{\"a\":\n 1}", name: "status", id: "7-é"),
            .comment, event("\n\u{FEFF}🐴"), .comment, event("z", published: "12"),
        ]
        #expect(try items([bytes]) == expected)
        #expect(try items(bytes.map { [$0] }) == expected, "byte by byte")
        for split in 0...bytes.count {
            let halves = [Array(bytes[..<split]), [], Array(bytes[split...])]
            #expect(try items(halves) == expected, "split at \(split)")
        }
    }

    // MARK: The standard's rules

    @Test(arguments: ["\n", "\r", "\r\n"])
    func everyLineEndEndsALine(end: String) throws {
        #expect(try items("data: a\(end)data: b\(end)\(end)") == [event("a\nb")])
    }

    @Test func onlyOneLeadingByteOrderMarkIsDropped() throws {
        #expect(try items("\u{FEFF}data: a\n\n") == [event("a")])
        #expect(try items("\u{FEFF}\u{FEFF}data: a\n\n") == [], "the field has another name")
        #expect(try items("data: a\n\n\u{FEFF}data: b\n\n") == [event("a")])
    }

    @Test(arguments: [
        ("data:a", "a"), ("data: a", "a"), ("data:  a", " a"), ("data", ""), ("data:", ""), ("data: ", ""),
        ("data: a:b", "a:b"), ("data: a\ndata", "a\n"), ("data: a ", "a "),
    ])
    func dataIsReadAsTheStandardSays(lines: String, data: String) throws {
        #expect(try items("\(lines)\n\n") == [event(data)])
    }

    @Test(
        "Lines without a data field produce no event",
        arguments: ["Data: a", "data : a", " data: a", "dat: a", "event: only", "id: 1"])
    func eventNeedsData(line: String) throws {
        #expect(try items("\(line)\n\n") == [])
    }

    @Test(arguments: [
        ("retry: 3000", Duration.milliseconds(3000)), ("retry:0", .zero), ("retry: 007", .milliseconds(7)),
        ("retry: 99999999999999999999", .milliseconds(999_999_999)),
    ])
    func retryIsDigitsInMilliseconds(line: String, wait: Duration) throws {
        #expect(try items("\(line)\n") == [.retry(wait)])
    }

    @Test(arguments: ["retry: 10x", "retry: -1", "retry: 1.5", "retry:", "retry", "retry: ", "retry:  5", "retry: ٣"])
    func anyOtherRetryIsIgnored(line: String) throws {
        #expect(try items("\(line)\ndata: a\n\n") == [event("a")])
    }

    @Test func anIDHoldsUntilTheNext() throws {
        #expect(
            try items("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n") == [event("a", id: "1"), event("b", id: "1"), event("c")])
        #expect(try items("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n") == [event("a", id: "1"), event("b", id: "1")])
    }

    @Test func anIDCountsOnlyOnceItsEventIsWhole() throws {
        var parser = EventStreamParser()
        _ = try parser.consume(Array("id: 1\ndata: a\n\nid: 2\ndata: b".utf8))
        #expect(parser.lastEventID == "1")
        _ = try parser.consume(Array("\n\nid: 3\n\n".utf8))
        #expect(parser.lastEventID == "3", "an event without data leaves its id")
    }

    @Test func aPartialEventIsNeverToldOf() throws {
        #expect(try items("data: a\n\ndata: b\n") == [event("a")])
        #expect(try items("data: b") == [])
    }

    @Test func theDateIsKeptForOneEvent() throws {
        let text = "published: 5\nother: 6\ndata: a\n\ndata: b\n\n"
        #expect(try items(text) == [event("a", published: "5"), event("b")])
    }

    @Test func aKeptFieldThatStandsTwiceIsJoinedAsInHTTP() throws {
        let text = "published: 5\npublished: 6\npublished\ndata: a\n\n"
        #expect(try items(text) == [event("a", published: "5, 6, ")])
    }

    @Test func brokenTextIsHandedOnAsItCame() throws {
        let bytes: [UInt8] = Array("data: ".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8)
        #expect(try items([bytes]) == [.event(.init(name: "message", data: Data([0xFF, 0xC3]), lastEventID: ""))])
    }

    // MARK: Bounds

    @Test func aLineMayBeAsLongAsTheLimit() throws {
        let longest = String(repeating: "a", count: 1024 - 6)
        #expect(try items("data: \(longest)\n\n") == [event(longest)])
        var parser = EventStreamParser(limit: 1024)
        #expect(throws: EventStreamParser.ParseError(limit: 1024)) {
            for _ in 0...1024 { _ = try parser.consume([0x61]) }
        }
        #expect(throws: EventStreamParser.ParseError(limit: 1024), "it stays given up") {
            _ = try parser.consume(Array("\n\ndata: a\n\n".utf8))
        }
    }

    @Test func anEventOfManyLinesIsBoundedToo() throws {
        var parser = EventStreamParser(limit: 1024)
        let line = Array("data: 0123456789\n".utf8)
        #expect(throws: EventStreamParser.ParseError(limit: 1024)) {
            for _ in 0..<100 { _ = try parser.consume(line) }
        }
        var many = EventStreamParser(limit: 1024)
        var count = 0
        for _ in 0..<100 { count += try many.consume(line + [0x0A]).count }
        #expect(count == 100)
    }

    @Test func nameIDAndKeptFieldsCountTowardsTheLimit() throws {
        let text = String(repeating: "x", count: 400)
        let lines = ["event: \(text)\n", "id: \(text)\n", "published: \(text)\n"]
        var parser = EventStreamParser(limit: 1024)
        _ = try parser.consume(Array((lines[0] + lines[1]).utf8))
        #expect(throws: EventStreamParser.ParseError(limit: 1024)) {
            _ = try parser.consume(Array(lines[2].utf8))
        }
        var other = EventStreamParser()
        #expect(throws: EventStreamParser.ParseError(limit: 1024), "a name of 1 KiB is the longest") {
            _ = try other.consume(Array("event: \(String(repeating: "n", count: 1025))\n".utf8))
        }
    }

    @Test func chanceFindsNothingThatBreaksIt() throws {
        var chance = SplitMix64(seed: Seed.of("event streams", default: 42))
        let alphabet = Array("\r\n\n\r: data:id:event:retry:0123\0".utf8) + [0xEF, 0xBB, 0xBF, 0xFF]
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in alphabet.randomElement(using: &chance) ?? 0 }
            let whole = try items([bytes])
            let cut = Int.random(in: 0...200, using: &chance)
            #expect(try items([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "\(bytes) cut at \(cut)")
        }
    }
}
