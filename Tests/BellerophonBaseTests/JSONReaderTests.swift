import Foundation
import TestSupport
import Testing

@testable import BellerophonBase

@Suite struct JSONReaderTests {
    private func read(_ text: String, _ options: JSONReader.Options = []) throws(JSONSyntaxError) -> JSONNode {
        try JSONReader.read(Data(text.utf8), options)
    }

    private func error(_ text: String, _ options: JSONReader.Options = []) -> String? {
        do throws(JSONSyntaxError) {
            _ = try read(text, options)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func readsEveryKindOfValue() throws {
        let value = JSONValue(try read(#" {"a": [null, true, false, -1.5e2, "x"], "b": {}} "#))
        #expect(
            value == .object(["a": .array([.null, .bool(true), .bool(false), .number(-150), .string("x")]), "b": .object([:])]))
    }

    @Test func knowsPositionsOrderAndDigits() throws {
        guard case .object(let members) = try read("{\n \"b\": 1.50,\n  \"a\": \"ü\", \"c\": 9007199254740993}").value else {
            throw TestError("no object")
        }
        #expect(members.map(\.name) == ["b", "a", "c"])
        #expect(members.map(\.position) == [.init(line: 2, column: 2), .init(line: 3, column: 3), .init(line: 3, column: 14)])
        #expect(members[0].node.position == .init(line: 2, column: 7))
        #expect(try read("{\"b\":1.50,\"c\":9007199254740993}").compactText() == "{\"b\":1.50,\"c\":9007199254740993}")
    }

    @Test(
        "Invalid JSON is refused with the line of the error",
        arguments: [
            ("", "line 1: expected a value, found the end of the text"),
            ("{\n\"a\" 1}", "line 2: expected \":\", found \"1\""),
            ("{\"a\":1,}", "line 1: expected a name in quotes, found \"}\""),
            ("[1,]", "line 1: expected a value, found \"]\""),
            ("[1 2]", "line 1: expected \",\" or \"]\", found \"2\""),
            ("01", "line 1: expected the end of the text, found \"1\""),
            ("1.", "line 1: expected a digit, found the end of the text"),
            ("+1", "line 1: expected a value, found \"+\""),
            ("NaN", "line 1: expected a value, found \"N\""),
            ("\"\u{1}\"", "line 1: expected an escape such as \\n inside text, found a control character"),
            ("\"\\x\"", "line 1: expected an escape, found \"\\\""),
            ("\"\\ud83d\"", "line 1: expected the second half of a surrogate pair, found \"\"\""),
            ("\"a", "line 1: expected a closing quote, found the end of the text"),
            ("1e999", "line 1: a number that is too large"),
            (String(repeating: "[", count: 200), "line 1: more than 128 values inside each other"),
            ("{\"a\":{\"b\":1,\n\"\\u0062\":2}}", "line 2: \"b\" stands twice"),
        ])
    func invalidJSONIsRefused(text: String, expected: String) {
        #expect(error(text) == expected)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect(throws: JSONSyntaxError(reason: .notUTF8, position: .start)) { try JSONReader.read(Data([0x22, 0xFF, 0x22])) }
    }

    @Test("The reader options allow byte order marks, huge numbers and repeated names")
    func readerOptionsAreApplied() throws {
        var options: JSONReader.Options = []
        #expect(error("\u{FEFF}{}", options) == nil)
        options.insert(.refusesByteOrderMark)
        #expect(error("\u{FEFF}{}", options) == "the text begins with a byte order mark")
        options.insert(.acceptsHugeNumbers)
        #expect(JSONValue(try read("-1e999", options)) == .number(-.infinity))
        options.insert(.acceptsRepeatedNames)
        let node = try read(#"{"a":1,"b":2,"\u0061":3}"#, options)
        #expect(node.repeatedNames == ["a"])
        #expect(JSONValue(node) == .object(["a": .number(3), "b": .number(2)]))
    }

    @Test func escapesAreResolved() throws {
        #expect(JSONValue(try read(#""\"\\\/\b\f\n\r\t\uD83D\uDE00é""#)) == .string("\"\\/\u{8}\u{C}\n\r\t😀é"))
    }
}

@Suite struct JSONTextTests {
    @Test("Characters that could affect a terminal are escaped")
    func controlCharactersAreEscaped() {
        #expect(JSONText.quoted("a\"\\\n\u{1B}\u{9B}\u{2028}é") == #""a\"\\\n\u001b\u009b\u2028é""#)
        #expect(JSONText.quoted("a\u{202E}b", escaping: \.isInvisible) == #""a\u202eb""#)
        #expect(JSONText.escapingControls(Data("\"\u{9B}31m\"".utf8)) == #""\u009b31m""#)
    }

    @Test func sanitizedJSONKeepsItsShape() {
        let json = #"{ "a" : "\u001b[2J", "b\n": [1, "x\\"] }"#
        #expect(JSONText.sanitized(Data(json.utf8)) == #"{"a":"␛[2J","b\n":[1,"x\\"]}"#)
    }

    @Test func brokenTextIsRepaired() {
        let broken = Data(#"{"a":"\ud83d x "#.utf8) + Data([0xFF, 0x01]) + Data(#""}"#.utf8)
        #expect(String(decoding: JSONText.repaired(broken), as: UTF8.self) == #"{"a":"\uFFFD x "# + "\u{FFFD}" + #"\uFFFD"}"#)
    }
}
