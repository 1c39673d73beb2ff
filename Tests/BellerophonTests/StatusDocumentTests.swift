@testable import Bellerophon
import Foundation
import Testing

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

    @Test func readsEveryField() throws {
        let status = try document(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":2.5,"userMessage":"Back soon.","requiredVersion":"1.5.2","updateURL":"https://example.com/get","unknown":[1,{"a":2}]}"#
        )
        #expect(status == StatusDocument(
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
        (#"{"apiInactive":true,"forceUpdate":false,"retryInterval":"5"}"#, #""retryInterval" must be a number of seconds, found text"#),
        (#"{"apiInactive":true,"forceUpdate":false,"retryInterval":true}"#, #""retryInterval" must be a number of seconds, found a boolean"#),
        (#"[{"apiInactive":true}]"#, "expected a JSON object, found an array"),
        (#""paused""#, "expected a JSON object, found text"),
        ("", "the body is empty"),
        ("  \n", "the body is empty"),
        ("<!DOCTYPE html><title>Sign in</title>", "the body is HTML, not JSON"),
        ("OK", "the body is plain text, not JSON"),
        (#"{"apiInactive":tr"#, "the body is broken or incomplete, not JSON"),
    ])
    func aWrongDocumentNamesWhatIsWrong(json: String, expected: String) {
        #expect(problem(json) == expected)
    }

    @Test(arguments: [
        ("-3", -3.0), ("0.5", 0.5), ("1e300", 1e300), ("1e999", .infinity), ("999999999999", 999_999_999_999),
    ])
    func anyNumberIsAnInterval(text: String, interval: Double) throws {
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":\#(text)}"#)
        #expect(status.interval == interval)
        #expect(status.stage == .killed)
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

    @Test func wholeSurrogatePairsAndEscapesStayAsTheyAre() throws {
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
        #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !(0x202A...0x202E).contains($0.value) })
        #expect(status.message?.contains("evil") == true)
    }

    @Test func aMessageIsCutAtItsLimit() throws {
        let long = String(repeating: "word ", count: 4000)
        let status = try document(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\#(long)"}"#)
        #expect((status.message?.unicodeScalars.count ?? 0) <= StatusDocument.messageLimit + 1)
        #expect(status.message?.hasPrefix("word word") == true)
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "https://", "example.com/get", "https://exa mple.com", "http://a\u{1B}[2J.example", "https://apple.com@example.net/get"])
    func onlyAWebAddressIsALink(address: String) throws {
        let escaped = address.replacing("\u{1B}", with: "\\u001b")
        let status = try document(#"{"apiInactive":false,"forceUpdate":true,"retryInterval":5,"updateURL":"\#(escaped)"}"#)
        #expect(status.link == nil)
        #expect(status.stage == .updateRequired)
        #expect(status.remarks == ["\"updateURL\" is no http or https address; it was left out"])
    }

    @Test func deepNestingIsRefusedWithoutACrash() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(problem(deep) == "the body is broken or incomplete, not JSON")
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
