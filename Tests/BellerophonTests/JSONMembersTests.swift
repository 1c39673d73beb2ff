import Foundation
import Testing
import TestSupport

@testable import Bellerophon

@Suite("Members of a JSON object")
struct JSONMembersTests {
    private func names(_ text: String) -> [String]? { JSONMembers.names(in: Data(text.utf8)) }

    @Test("Names come in order, and as often as they were written")
    func repeatedNames() {
        #expect(names(#"{"a":1,"b":{"c":2,"a":3},"a":"}"}"#) == ["a", "b", "a"])
        #expect(names(" \n{ } ") == [])
        #expect(JSONMembers(of: Data(#"{"a":1,"b":2,"a":3,"b":4}"#.utf8))?.repeatedName == "a")
        #expect(JSONMembers(of: Data(#"{"a":{"b":1},"b":2}"#.utf8))?.repeatedName == nil)
    }

    @Test(
        "A name is the same however it is written",
        arguments: [#""alg""#, #""al\u0067""#, #""\u0061\u006c\u0067""#, #""\u0061\u006C\u0067""#]
    )
    func escapedNames(name: String) {
        #expect(names(#"{"alg":1,"# + name + ":2}") == ["alg", "alg"])
    }

    @Test("Escapes are resolved as JSON has them, and a lone surrogate is U+FFFD")
    func escapes() {
        #expect(names(#"{"\"\\\/\b\f\n\r\t":1}"#) == ["\"\\/\u{8}\u{C}\n\r\t"])
        #expect(names(#"{"\uD83D\uDE00é":1,"\uD83D":2,"\x":3}"#) == ["😀é", "\u{FFFD}", #"\x"#])
    }

    @Test("What decoders let pass hides no name")
    func lenience() {
        #expect(names(#"{"a":1,,"a":2,}"#) == ["a", "a"])
        #expect(names(#" {"a" :1,"a": 2}"#) == ["a", "a"])
        #expect(JSONMembers.names(in: Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])) == ["\u{FFFD}"])
        #expect(names(#"{"a":[1,{"b":"]}\"","c":3}],"d":"\\"}"#) == ["a", "d"])
    }

    @Test("What is no object, or ends inside it, has no members", arguments: ["", " ", "[]", "1", "\u{FEFF}{}", #""{}""#, "{", #"{"a"#, #"{"a":1"#, #"{"a":"\"#])
    func noObjects(text: String) {
        #expect(names(text) == nil)
    }

    @Test("A value is the bytes between the colon and what ends it")
    func values() {
        let members = JSONMembers(of: Data(#"{"a" : 1e999 ,"b":[1, 2],"c":"x,}" }"#.utf8))
        #expect(members?["a"].map { String(decoding: $0, as: UTF8.self) } == "1e999")
        #expect(members?["b"].map { String(decoding: $0, as: UTF8.self) } == "[1, 2]")
        #expect(members?["c"].map { String(decoding: $0, as: UTF8.self) } == #""x,}""#)
        #expect(members?["d"] == nil)
    }

    @Test("No bytes stop the reader")
    func anyBytes() {
        var random = SplitMix64(seed: 5)
        let alphabet = Array(#"{}[]":,\u0a1 "#.utf8) + [0x00, 0xFF, 0xC3, 0xEF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            let members = JSONMembers(of: Data([0x7B] + bytes))
            #expect(members.map { $0.members.count <= bytes.count } ?? true)
        }
    }
}
