import Bellerophon
import Foundation
import TestSupport

extension FaultTable {
    private static func invalid(
        _ name: String, _ problem: String, _ text: @escaping @Sendable (Temptation) -> String
    ) -> FaultCase {
        .refuses(name, "not a status document: \(problem)") { .json(text($0)) }
    }

    private static let incomplete = "the body is broken or incomplete, not JSON"
    private static let plain = "the body is plain text, not JSON"

    private static let tooDeep = "the body has more than 128 values inside each other"

    private static func twice(_ field: String) -> String {
        "the field \"\(field)\" appears twice; programs disagree about which one counts"
    }

    /// The document with one part replaced.
    private static func changed(_ from: String, _ to: String) -> @Sendable (Temptation) -> String {
        { $0.document.replacing(from, with: to) }
    }

    /// The document's text of the field `apiInactive`, with its value.
    private static func flag(_ tempt: Temptation) -> String { #""apiInactive":\#(tempt.stage == .killed)"# }

    private static func flag(as value: String) -> @Sendable (Temptation) -> String {
        { $0.document.replacing(flag($0), with: #""apiInactive":\#(value)"#) }
    }

    // MARK: Documents

    static let documents: [FaultCase] = [
        invalid("deep nesting", tooDeep) { _ in String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000) },
        invalid("deep nesting in a field", tooDeep) {
            $0.document(
                more: #","deep":"# + String(repeating: #"{"a":"#, count: 5000) + "1" + String(repeating: "}", count: 5000))
        },
        invalid("nesting without end", tooDeep) { _ in String(repeating: #"{"a":["#, count: 10_000) },
        invalid("duplicate apiInactive", twice("apiInactive")) {
            $0.document(more: #","apiInactive":\#($0.stage != .killed)"#)
        },
        invalid("duplicate apiInactive, before", twice("apiInactive")) { tempt in
            "{" + #""apiInactive":\#(tempt.stage != .killed),"# + tempt.document.dropFirst()
        },
        invalid("duplicate apiInactive, escaped", twice("apiInactive")) {
            $0.document(more: #","api\u0049nactive":\#($0.stage != .killed)"#)
        },
        invalid("duplicate forceUpdate", twice("forceUpdate")) { $0.document(more: #","forceUpdate":true"#) },
        invalid("duplicate retryInterval", twice("retryInterval")) { $0.document(more: #","retryInterval":1"#) },
        invalid("no apiInactive", #"the field "apiInactive" is missing"#) {
            $0.document.replacing("apiInactive", with: "inactive")
        },
        invalid("apiInactive in other case", #"the field "apiInactive" is missing"#) {
            $0.document.replacing("apiInactive", with: "APIInactive")
        },
        invalid("no forceUpdate", #"the field "forceUpdate" is missing"#, changed(#""forceUpdate":false,"#, "")),
        invalid("no retryInterval", #"the field "retryInterval" is missing"#, changed(#""retryInterval":7,"#, "")),
        invalid("apiInactive as a number", #""apiInactive" must be true or false, found a number"#, flag(as: "1")),
        invalid("apiInactive as text", #""apiInactive" must be true or false, found text"#, flag(as: #""true""#)),
        invalid("apiInactive as null", #""apiInactive" must be true or false, found null"#, flag(as: "null")),
        invalid("apiInactive as an array", #""apiInactive" must be true or false, found an array"#, flag(as: "[true]")),
        invalid("apiInactive as an object", #""apiInactive" must be true or false, found an object"#, flag(as: "{}")),
        invalid(
            "forceUpdate as a number", #""forceUpdate" must be true or false, found a number"#,
            changed(#""forceUpdate":false"#, #""forceUpdate":0"#)),
        invalid("retryInterval as text", #""retryInterval" must be a number of seconds, found text"#, changed(":7,", #":"7","#)),
        invalid(
            "retryInterval as a boolean", #""retryInterval" must be a number of seconds, found a boolean"#,
            changed(":7,", ":true,")),
        invalid("retryInterval as null", #""retryInterval" must be a number of seconds, found null"#, changed(":7,", ":null,")),
        invalid("an array", "expected a JSON object, found an array") { "[\($0.document)]" },
        invalid("text in quotes", "expected a JSON object, found text") { _ in #""live""# },
        invalid("a number", "expected a JSON object, found a number") { _ in "1" },
        invalid("null", "expected a JSON object, found null") { _ in "null" },
        invalid("an empty object", #"the field "apiInactive" is missing"#) { _ in "{}" },
        invalid("blanks", "the body is empty") { _ in " \r\n\t" },
        invalid("words", plain) { _ in "all is well" },
        invalid("two documents", incomplete) { $0.document + $0.document },
        invalid("rubbish behind the document", incomplete) { $0.document + "]" },
        invalid("single quotes", incomplete) { $0.document.replacing("\"", with: "'") },
        invalid("no end", incomplete) { String($0.document.dropLast()) },
        invalid("markup", "the body is markup, not JSON") { _ in "<status>live</status>" },
        .believes("a message that is a number") { .json($0.document.replacing(#""Stop.""#, with: "17")) },
        .believes("a message that is null") { .json($0.document.replacing(#""Stop.""#, with: "null")) },
        .believes("unknown fields") { .json($0.document(more: #","a":[1,{"b":null}],"":"""#)) },
    ]

    // MARK: Text

    private static func bytes(_ bytes: [UInt8]) -> Behaviour {
        .answer(Answer(headers: ["Content-Type": "application/json"], body: bytes))
    }

    private static func encoded(_ text: String, _ encoding: String.Encoding, mark: [UInt8] = []) -> Behaviour {
        bytes(mark + Array(text.data(using: encoding) ?? Data()))
    }

    static let texts: [FaultCase] =
        [
            .believes("invalid UTF-8 in the message") {
                let parts = $0.document.split(separator: "Stop.").map { Array($0.utf8) }
                return bytes(parts[0] + [0x53, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80] + parts[1])
            },
            .refuses("invalid UTF-8 in a name", #"not a status document: the field "apiInactive" is missing"#) {
                let parts = $0.document.split(separator: "Inactive", maxSplits: 1).map { Array($0.utf8) }
                return bytes(parts[0] + [0xFF] + Array("Inactive".utf8) + parts[1])
            },
            .refuses("a zero byte in a name", #"not a status document: the field "apiInactive" is missing"#) {
                .json($0.document.replacing("apiInactive", with: "apiInactive\0"))
            },
            .believes("a byte order mark") { encoded($0.document, .utf8, mark: [0xEF, 0xBB, 0xBF]) },
            .believes("a lone surrogate in the message") { .json($0.document(message: #"Stop \uD83D now"#)) },
            .believes("a lone low surrogate in the message") { .json($0.document(message: #"\uDE00"#)) },
            .believes("surrogates in the wrong order") { .json($0.document(message: #"\uDE00\uD83D"#)) },
            .believes("an escaped zero in the message") { .json($0.document(message: #"a\u0000b"#)) },
            .believes("a line end in the message, unescaped") { .json($0.document(message: "a\nb")) },
            .believes("terminal escapes in the message") {
                .json($0.document(message: #"\u001b]0;owned\u0007\u001b[2J\u009b31m"#))
            },
            .believes("a message of 60 KB") { .json($0.document(message: String(repeating: "界", count: 20_000))) },
            .believes("a message of 10,000 marks") {
                .json($0.document(message: "e" + String(repeating: "\u{301}", count: 10_000)))
            },
        ]
        + [
            ("UTF-16", "big end first", String.Encoding.utf16BigEndian, [0xFE, 0xFF]),
            ("UTF-16", "little end first", .utf16LittleEndian, [0xFF, 0xFE]),
            ("UTF-16", "without a mark", .utf16LittleEndian, []),
            ("UTF-32", "with a mark", .utf32BigEndian, [0, 0, 0xFE, 0xFF]), ("UTF-32", "without a mark", .utf32LittleEndian, []),
        ].map { (encoding, name, kind, mark: [UInt8]) in
            .refuses("\(encoding) \(name)", "not a status document: the body is \(encoding); JSON is sent as UTF-8") {
                encoded($0.document, kind, mark: mark)
            }
        }
}
