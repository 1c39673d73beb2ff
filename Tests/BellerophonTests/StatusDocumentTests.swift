import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("Status document")
struct StatusDocumentTests {
    private func document(_ json: String) throws -> StatusDocument {
        try StatusDocument(json: Data(json.utf8))
    }

    private func problem(_ json: String) -> String {
        do {
            _ = try StatusDocument(json: Data(json.utf8))
            return "no problem"
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (false, false, Stage.active), (true, false, .killed), (false, true, .updateRequired), (true, true, .updateRequired),
    ])
    func updateOutranksKillOutranksNormal(killed: Bool, update: Bool, stage: Stage) throws {
        let status = try document(#"{"apiInactive":\#(killed),"forceUpdate":\#(update),"retryInterval":5,"userMessage":null}"#)
        #expect(status.stage == stage)
    }

    @Test(
        "A verdict names what restricts the app, and what takes precedence over what",
        arguments: [
            (false, false, [], "apiInactive and forceUpdate are false"), (true, false, ["apiInactive"], "apiInactive is true"),
            (false, true, ["forceUpdate"], "forceUpdate is true"),
            (true, true, ["forceUpdate", "apiInactive"], "forceUpdate is true, which takes precedence over apiInactive"),
        ])
    func aVerdictNamesItsReason(killed: Bool, update: Bool, by: [String], reason: String) {
        let status = StatusDocument(isInactive: killed, requiresUpdate: update, interval: 5)
        let verdict = status.verdict(for: AppFacts(version: "1.4"), at: .now)
        #expect(verdict.restrictions.map(\.by) == by && verdict.reason == reason && verdict.next == nil)
    }

    @Test func readsEveryField() throws {
        let status = try document(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":2.5,"userMessage":"Back soon.","requiredVersion":"1.5.2","updateURL":"https://example.com/get","unknown":[1,{"a":2}]}"#
        )
        #expect(
            status
                == StatusDocument(
                    isInactive: true, requiresUpdate: false, interval: 2.5, message: "Back soon.", requiredVersion: "1.5.2",
                    link: "https://example.com/get"
                ))
        #expect(status.remarks.isEmpty)
    }

    @Test(arguments: [#","userMessage":null"#, "", #","userMessage":"""#, #","userMessage":"   ""#])
    func theMessageMayBeAbsent(field: String) throws {
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5\#(field)}"#)
        #expect(status.message == nil)
        #expect(status.userMessage() == "")
        #expect(status.remarks.isEmpty)
    }

    @Test(arguments: [
        (#"{"forceUpdate":false,"retryInterval":5}"#, #"the field "apiInactive" is missing"#),
        (#"{"apiInactive":true,"retryInterval":5}"#, #"the field "forceUpdate" is missing"#),
        (#"{"apiInactive":true,"forceUpdate":false}"#, #"the field "retryInterval" is missing"#),
        (#"{"apiInactive":1,"forceUpdate":false,"retryInterval":5}"#, #""apiInactive" must be true or false, found a number"#),
        (#"{"apiInactive":"true","forceUpdate":false,"retryInterval":5}"#, #""apiInactive" must be true or false, found text"#),
        (#"{"apiInactive":true,"forceUpdate":null,"retryInterval":5}"#, #""forceUpdate" must be true or false, found null"#),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":"5"}"#,
            #""retryInterval" must be a number of seconds, found text"#
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":true}"#,
            #""retryInterval" must be a number of seconds, found a boolean"#
        ),
        (#"[{"apiInactive":true}]"#, "expected a JSON object, found an array"),
        (#""paused""#, "expected a JSON object, found text"),
        ("", "the body is empty"),
        ("  \n", "the body is empty"),
        ("<!DOCTYPE html><title>Sign in</title>", "the body is HTML, not JSON"),
        ("OK", "the body is plain text, not JSON"),
        ("eyJhbGciOiJFZERTQSJ9.e30.AA", "the body is a signed document, which needs a key to be trusted (trust.keys), not JSON"),
        (#"{"apiInactive":tr"#, "the body is broken or incomplete, not JSON"),
    ])
    func aWrongDocumentNamesWhatIsWrong(json: String, expected: String) {
        #expect(problem(json) == expected)
    }

    @Test(arguments: [
        ("-3", -3.0), ("0.5", 0.5), ("1e300", 1e300), ("1e999", .infinity), ("-1e999", -.infinity),
        ("999999999999", 999_999_999_999), ("-0", 0.0), ("0", 0.0), ("1e-999", 0.0), ("9007199254740993", 9_007_199_254_740_992),
        ("1E+2", 100), ("1.5e-1", 0.15), ("5e-300", 5e-300), ("1" + String(repeating: "0", count: 400), .infinity),
    ])
    func anyNumberIsAnInterval(text: String, interval: Double) throws {
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":\#(text)}"#)
        #expect(status.interval == interval)
        #expect(status.stage == .killed)
    }

    @Test(
        "An invalid JSON number as the interval is refused",
        arguments: [
            "01", "-01", "00", "1.", ".5", "+1", "-", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity", "1_000", "١",
        ])
    func invalidNumberIsRefused(text: String) {
        let json = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":\#(text)}"#
        #expect(problem(json) == "the body is broken or incomplete, not JSON")
    }

    /// JSONDecoder accepts each of these; other readers may not.
    @Test(
        "JSON that violates the standard is refused",
        arguments: [
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"list":[1,]}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"list":01}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"text":"\x"}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5} // all clear"#,
            #"{"apiInactive":true,"forceUpdate":false,/* */"retryInterval":5}"#,
            #"{'apiInactive':true,"forceUpdate":false,"retryInterval":5}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5}{}"#,
            #"{"apiInactive":True,"forceUpdate":false,"retryInterval":5}"#,
        ])
    func lenientJSONIsRefused(json: String) {
        #expect(problem(json) == "the body is broken or incomplete, not JSON")
    }

    @Test(arguments: [
        ("apiInactive", #""apiInactive":false"#), ("apiInactive", #""api\u0049nactive":false"#),
        ("apiInactive", #""\u0061piInactive":true"#), ("forceUpdate", #""forceUpdate":null"#),
        ("retryInterval", #""retryInterval":5"#), ("retryInterval", #""retryInterva\u006C":"soon""#),
    ])
    func aFieldThatDecidesMayStandOnceOnly(field: String, second: String) {
        let expected = "the field \"\(field)\" appears twice; programs disagree about which one counts"
        #expect(problem(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,\#(second)}"#) == expected)
        #expect(problem(#"{\#(second),"apiInactive":true,"forceUpdate":false,"retryInterval":5}"#) == expected)
        // Invalid text elsewhere does not hide the duplicate.
        #expect(problem(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,\#(second),"x":"\ud800"}"#) == expected)
    }

    @Test func aNameThatStandsTwiceFurtherInIsNoProblem() throws {
        let status = try document(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"more":{"apiInactive":false,"apiInactive":false}}"#
        )
        #expect(status.stage == .killed && status.remarks.isEmpty)
    }

    @Test(arguments: ["userMessage", "requiredVersion", "updateURL"])
    func aTextThatStandsTwiceIsLeftOut(field: String) throws {
        let status = try document(
            #"{"\#(field)":"https://a.example","apiInactive":true,"forceUpdate":false,"\#(field)":"https://b.example","retryInterval":5}"#
        )
        #expect(status.stage == .killed)
        #expect(status.message == nil && status.requiredVersion == nil && status.link == nil)
        #expect(status.remarks == ["\"\(field)\" appears twice; it was ignored"])
    }

    @Test(arguments: [
        (String.Encoding.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16"), (.utf16BigEndian, "UTF-16"),
        (.utf32, "UTF-32"), (.utf32LittleEndian, "UTF-32"), (.utf32BigEndian, "UTF-32"),
    ])
    func anotherEncodingIsNamed(encoding: String.Encoding, name: String) throws {
        let json = try #require(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5}"#.data(using: encoding))
        #expect(throws: StatusDocument.JSONError.wrongEncoding(name)) { try StatusDocument(json: json) }
        #expect(StatusDocument.JSONError.wrongEncoding(name).description == "the body is \(name); JSON is sent as UTF-8")
    }

    @Test(arguments: [
        (#"42"#, String?.none), (#"["a"]"#, nil), (#"{"text":"a"}"#, nil),
        (#""half \ud83d of a pair""#, "half \u{FFFD} of a pair"),
        (#""low \ude00 alone""#, "low \u{FFFD} alone"),
        ("\"line\u{0}break\"", "line\u{FFFD}break"),
    ])
    func aBrokenMessageDoesNotLoseAKill(message: String, kept: String?) throws {
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":\#(message)}"#)
        #expect(status.stage == .killed)
        #expect(status.message == kept)
        #expect(status.remarks.count == 1)
    }

    @Test func bytesThatAreNoTextDoNotLoseAKill() throws {
        var bytes = Data(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"caf"#.utf8)
        bytes += [0xE9]
        bytes += Data(#" closed"}"#.utf8)
        let status = try StatusDocument(json: bytes)
        #expect(status.message == "caf\u{FFFD} closed")
    }

    @Test("Surrogate pairs and escapes are decoded, and a lone surrogate becomes U+FFFD")
    func surrogatesAndEscapesAreKept() throws {
        let status = try document(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\ud83d\ude00 \"q\" \\ud800 \u00e9 \ud800"}"#
        )
        #expect(status.message == "😀 \"q\" \\ud800 é \u{FFFD}")
    }

    @Test func aByteOrderMarkIsAllowed() throws {
        let json = Data([0xEF, 0xBB, 0xBF]) + Data(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":5}"#.utf8)
        #expect(try StatusDocument(json: json).stage == .active)
    }

    @Test func hostileTextIsMadeSafe() throws {
        let status = try document(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\u001b]0;pwned\u0007 \u202eevil","requiredVersion":"1\u001b[2J"}"#
        )
        let scalars = (status.message ?? "").unicodeScalars + (status.requiredVersion ?? "").unicodeScalars
        #expect(
            scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !(0x202A...0x202E).contains($0.value) })
        #expect(status.message?.contains("evil") == true)
    }

    @Test func aMessageIsCutAtItsLimit() throws {
        let long = String(repeating: "word ", count: 4000)
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\#(long)"}"#)
        #expect(status.message?.utf8.count ?? 0 <= StatusDocument.messageLimit)
        #expect(status.message?.hasPrefix("word word") == true)
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "ftp://example.com", "https://", "example.com/get", "//example.com",
        "https://exa mple.com", "https://apple.com@example.net/get", "https://u:p@example.net", "https://apple.com\\@example.net",
        "http://a%1b.example", "http://a%1B%5b2J.example/", "https://%65xample.com/", "https://example.com/\"onclick",
        "https://a/<b>",
    ])
    func onlyAWebAddressIsALink(address: String) throws {
        try expectNoLink(address)
    }

    /// These are not test arguments: the test runner would print them unescaped.
    @Test func anAddressHidesNothing() throws {
        let hidden = [
            "\u{1B}[2J", "\u{9B}2J", "\u{7F}", "\u{0}", "\n", "\u{202E}", "\u{200B}", "\u{200D}", "\u{E0041}", "\u{2028}",
            "e\u{301}",
        ]
        for text in hidden {
            try expectNoLink("https://a\(text).example/get")
            try expectNoLink("https://a.example/g\(text)et")
        }
    }

    @Test func anAddressHasItsLimit() throws {
        let longest = "https://example.com/" + String(repeating: "a", count: 2028)
        #expect(StatusDocument.webAddress(longest) == longest)
        try expectNoLink(longest + "a")
    }

    @Test(arguments: [
        "https://example.com/get?v=1.5&x=%20#a", "HTTP://EXAMPLE.COM", "http://[::1]:8080/", "https://example.com/a%0Ab",
        "https://example.com/é",
    ])
    func aWebAddressStaysAsItIs(address: String) {
        #expect(StatusDocument.webAddress(address) == address)
    }

    private func expectNoLink(_ address: String) throws {
        let json = try JSONSerialization.data(withJSONObject: [
            "apiInactive": false, "forceUpdate": true, "retryInterval": 5, "updateURL": address,
        ])
        let status = try StatusDocument(json: json)
        #expect(status.link == nil)
        #expect(status.stage == .updateRequired)
        #expect(status.remarks == ["\"updateURL\" is not an http or https address; it was ignored"])
    }

    @Test func deepNestingIsRefusedWithoutACrash() throws {
        for open in ["[", #"{"a":"#] {
            let deep = String(repeating: open, count: 100_000)
            #expect(problem(deep) == "the body has more than 128 values inside each other")
            #expect(
                problem(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"x":"# + deep)
                    == "the body has more than 128 values inside each other")
        }
        let possible = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        #expect(try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"x":\#(possible)}"#).stage == .killed)
    }
}

@Suite("Retry-After")
struct RetryAfterTests {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)  // Tue, 14 Nov 2023 22:13:20 GMT

    @Test(arguments: [
        ("120", 120), (" 5 ", 5), ("0", 0), ("99999999999999999999", 999_999_999),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("Tuesday, 14-Nov-23 22:14:20 GMT", 60), ("Tue Nov 14 22:14:20 2023", 60),
        ("Tue, 14 Nov 2023 20:00:00 GMT", 0),
    ])
    func parses(value: String, seconds: Int64) {
        #expect(RetryAfter.parse(value, at: Self.now) == .seconds(seconds))
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "5;q=1"])
    func refuses(value: String) {
        #expect(RetryAfter.parse(value, at: Self.now) == nil)
    }
}
