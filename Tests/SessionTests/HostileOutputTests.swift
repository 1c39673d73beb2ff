import Foundation
import TestSupport
import Testing

/// The output of the programs for hostile texts, in every output format.
@Suite struct HostileOutputTests {
    /// Every control character except NUL, which an argument cannot contain, and all characters that hide or reorder
    /// text.
    private static let hostile: String = {
        let controls = (1...0x9F as ClosedRange<UInt32>).filter { $0 < 0x20 || $0 > 0x7E }
        let unseen: [UInt32] = [
            0x202E, 0x2066, 0x200F, 0x61C, 0x200B, 0x200D, 0x2060, 0xFEFF, 0xAD, 0x2028, 0xE0041, 0xE007F, 0x336, 0x336, 0x336,
            0x336,
            0x336,
        ]
        let scalars = (controls + unseen).compactMap(Unicode.Scalar.init)
        return "x" + scalars.map { "\($0)m" }.joined() + "\u{1B}]52;c;cm0=\u{7}"
    }()

    /// The hostile text as the content of a JSON string, completely escaped.
    private static let escaped = hostile.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()

    private static let document = """
        {"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"\(escaped)",\
        "requiredVersion":"\(escaped)","updateURL":"https://a.example/\(escaped)"}
        """

    private func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n"
                || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isBidiControl
                    || (0xE0000...0xE0FFF).contains(scalar.value) || scalar.properties.isDefaultIgnorableCodePoint
                    || scalar.properties.generalCategory == .lineSeparator)
        }
    }

    private func expectHarmless(
        _ result: CommandResult, _ code: Int32, says text: String, at place: SourceLocation = #_sourceLocation
    ) {
        let output = result.standardOutput + result.standardError
        #expect(result.status == .exited(code), sourceLocation: place)
        #expect(isHarmless(output), sourceLocation: place)
        #expect(output.contains(text), sourceLocation: place)
    }

    /// Every string in a JSON value, including keys.
    private func texts(_ value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(texts)
        case let fields as [String: Any]: fields.keys + fields.values.flatMap(texts)
        default: []
        }
    }

    @Test func aStatusIsPrintedHarmless() async throws {
        let server = try HostileServer(.status(Self.document))
        let address = server.address
        expectHarmless(try await bellerophon("check", "--status-url", address), 10, says: "␛]52;c;cm0=␇")
        let json = try await bellerophon("check", "--json", "--status-url", address)
        expectHarmless(json, 10, says: "␛]52;c;cm0=␇")
        let read = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8))
        #expect(texts(read).allSatisfy(isHarmless))
    }

    @Test func aScreenAsTextIsHarmless() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.document, to: "kill.json")
        let result = try await bellerophon("render", "--status", file, "--app-name", Self.hostile, "--app-version", Self.hostile)
        expectHarmless(result, 0, says: "␛")
    }

    @Test func aRedirectAndAPageAreToldOfHarmless() async throws {
        for server in [
            try HostileServer(
                .raw(Array("HTTP/1.1 302 Found\r\nLocation: http://a.example/\u{9B}2J\u{202E}\r\nContent-Length: 0\r\n\r\n".utf8))
            ),
            try HostileServer(.status("<html>\(Self.hostile)</html>")),
            try HostileServer(.status("{\"apiInactive\":\"\(Self.escaped)\"}")),
        ] {
            let result = try await bellerophon("check", "--json", "--status-url", server.address)
            expectHarmless(result, 12, says: "unknown")
        }
    }

    @Test("Errors about a file contain no terminal control characters")
    func fileErrorsAreSanitized() async throws {
        let folder = try TestFolder()
        let config = try folder.write(
            #"{"\#(Self.escaped)":1,"app":{"\#(Self.escaped)":2,"name":7},"color":"\#(Self.escaped)"}"#, to: "c.json")
        expectHarmless(try await bellerophon("config", "check", config), 64, says: "unknown key")
        let name = try folder.write(#"{"requests":{"\#(Self.escaped)":{}}}"#, to: "s.json")
        expectHarmless(try await bellerophon("verify", "--scenarios", name), 64, says: "without control characters")
        let title = try folder.write(#"{"title":"\#(Self.escaped)","\#(Self.escaped)":[]}"#, to: "t.json")
        expectHarmless(try await bellerophon("verify", "--scenarios", title), 64, says: "unknown key")
    }

    @Test func argumentsAreQuotedHarmless() async throws {
        let hostile = Self.hostile
        expectHarmless(try await bellerophon("check", "--" + hostile), 64, says: "Unknown option")
        expectHarmless(try await bellerophon(hostile), 64, says: "␛")
        expectHarmless(try await bellerophon("check", "--status-url", "http://" + hostile), 64, says: "␁")
        expectHarmless(try await bellerophon("check", "--config", "/no/" + hostile), 64, says: "␛")
        expectHarmless(try await bellerophon("verify", "--scenarios", "/no/" + hostile), 64, says: "␛")
        expectHarmless(try await bellerophon("barricade", "status", "--socket", "/no/" + hostile), 1, says: "␛")
        expectHarmless(try await runCommand("Notes", ["--" + hostile]), 64, says: "␛")
    }
}
