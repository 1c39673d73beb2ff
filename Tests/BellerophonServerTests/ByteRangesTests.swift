import Testing

@testable import BellerophonServer

@Suite struct ByteRangesTests {
    @Test(arguments: [
        ("bytes=0-0", ByteRanges.single(0..<1)), ("bytes=0-99", .single(0..<100)), ("bytes=10-", .single(10..<100)),
        ("bytes=-1", .single(99..<100)), ("bytes=-1000", .single(0..<100)), ("bytes=90-1000", .single(90..<100)),
        ("BYTES = 1-2", .single(1..<3)), ("bytes=0-,", .single(0..<100)),
        ("bytes=99-99999999999999999999999", .single(99..<100)),
    ])
    func onePart(header: String, expected: ByteRanges) {
        #expect(ByteRanges(header, size: 100, tag: "\"t\"") == expected)
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-"])
    func beyondTheEnd(header: String) {
        #expect(ByteRanges(header, size: 100, tag: "\"t\"") == .unsatisfiable)
    }

    @Test(
        "A Range header that is malformed or has several parts is ignored",
        arguments: [
            "bytes", "bytes=", "bytes=a-b", "bytes=2-1", "lines=1-2", "bytes=1-2-3", "bytes=--1", "bytes=1", "bytes=+1-2", "",
            "bytes=-",
            "bytes=0-1,3-4", "bytes=0-1,300-",
        ])
    func malformedRangeIsIgnored(header: String) {
        #expect(ByteRanges(header, size: 100, tag: "\"t\"") == .whole)
    }

    @Test func nothingHasNoPart() {
        #expect(ByteRanges("bytes=0-", size: 0, tag: "\"t\"") == .unsatisfiable)
        #expect(ByteRanges("bytes=-5", size: 0, tag: "\"t\"") == .unsatisfiable)
        #expect(ByteRanges(nil, size: 0, tag: "\"t\"") == .whole)
    }

    @Test(
        "If-Range uses strong comparison",
        arguments: [
            ("\"t\"", ByteRanges.single(0..<1)), ("W/\"t\"", .whole), ("\"u\"", .whole),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .whole),
        ])
    func ifRangeComparesStrongly(condition: String, expected: ByteRanges) {
        #expect(ByteRanges("bytes=0-0", size: 100, ifRange: condition, tag: "\"t\"") == expected)
    }
}
