import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The files of the console, over HTTP and as texts.
@Suite("Console") struct ConsoleTests {
    private static let paths = ["/console", "/console/console.js", "/console/console.css", "/console/icon.svg"]

    @Test func itIsOffByDefault() async throws {
        try await LiveServer.talk { client, _ in
            let unknown = try client.answer(to: "/nothing")
            for path in Self.paths {
                let answer = try client.answer(to: path)
                #expect(answer.code == 404 && answer.body == unknown.body, "\(path)")
            }
        }
    }

    @Test func everyFileIsServedWithItsProtection() async throws {
        try await LiveServer.talk({ $0.hasConsole = true }) { client, _ in
            let types = [
                "text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml",
            ]
            for (path, type) in zip(Self.paths, types) {
                let answer = try client.answer(to: path)
                #expect(answer.code == 200 && answer.field("Content-Type") == type, "\(path)")
                #expect(
                    answer.field("Content-Security-Policy")
                        == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
                        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                for (name, value) in [
                    ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                    ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
                    ("Cross-Origin-Resource-Policy", "same-origin"),
                ] {
                    #expect(answer.field(name) == value, "\(path)")
                }
                #expect(answer.field("Set-Cookie") == nil)
                try client.send("HEAD \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
                let head = try client.answer(isHead: true)
                #expect(head.code == 200 && head.field("Content-Length") == "\(answer.body.utf8.count)")
            }
            #expect(try client.put("/console", "", method: "POST").code == 405)
            #expect(try client.answer(to: "/console/").code == 404)
        }
    }

    /// Relative addresses only, so that it works behind a proxy that adds a prefix, and nothing from elsewhere.
    @Test func noFileNamesAnAddress() throws {
        var references = 0
        for file in ConsoleFile.all {
            // The name of the SVG format, and the example of an address in a hint, are not requested.
            let text = file.text.replacing("http://www.w3.org/2000/svg", with: "").replacing("https://example.com/get", with: "")
            #expect(!text.contains("://") && !text.contains("@import") && !text.contains("url("), "\(file.path)")
            for match in text.matches(of: /(?:src|href)="([^"]*)"/) {
                references += 1
                #expect(ConsoleFile.all.contains { $0.path == "/\(match.1)" }, "\(match.1)")
            }
        }
        #expect(references >= 3, "the page has a script, a style and an icon")
    }

    /// The script never makes markup of text, and keeps the token in a variable only.
    @Test("The console script and page use no markup injection, storage or inline handlers")
    func scriptAvoidsMarkupAndStorage() {
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "localStorage",
            "sessionStorage", "indexedDB", "document.cookie", "history.", "postMessage",
        ] {
            #expect(!ConsoleFile.script.text.contains(word), "\(word)")
        }
        let page = ConsoleFile.page.text
        #expect(!page.contains("style=") && !page.contains("onclick="), "the policy refuses them")
    }

    // MARK: Colours

    /// Each pair of a text's colour and its background, as names of tokens.
    private static let pairs = [
        ("text", "page"), ("text", "surface"), ("text", "raised"), ("quiet", "page"), ("quiet", "surface"), ("quiet", "raised"),
        ("accent", "surface"), ("on-accent", "accent"), ("on-accent", "paused-fill"), ("on-accent", "update-fill"),
        ("live", "surface"), ("live", "raised"), ("live", "live-tint"), ("paused", "surface"), ("paused", "raised"),
        ("paused", "paused-tint"), ("update", "surface"), ("update", "raised"), ("update", "update-tint"),
    ]

    @Test func everyTextHasEnoughContrastInBothSchemes() throws {
        let parts = ConsoleFile.style.text.components(separatedBy: "@media (prefers-color-scheme: dark)")
        try #require(parts.count == 2)
        let light = try Self.tokens(parts[0])
        let dark = light.merging(try Self.tokens(parts[1].components(separatedBy: "\n}\n")[0])) { $1 }
        for (scheme, tokens) in [("light", light), ("dark", dark)] {
            for (front, back) in Self.pairs {
                let ratio = Self.contrast(try #require(tokens[front]), try #require(tokens[back]))
                #expect(ratio >= 4.5, "\(front) on \(back) in \(scheme): \(ratio)")
            }
            // The outline of the focus and the borders of controls (WCAG 2.2, 1.4.11).
            for front in ["focus", "control"] {
                for back in ["page", "surface"] {
                    let ratio = Self.contrast(try #require(tokens[front]), try #require(tokens[back]))
                    #expect(ratio >= 3, "\(front) on \(back) in \(scheme): \(ratio)")
                }
            }
        }
    }

    /// The tokens with a colour, as the relative luminance of WCAG 2.2.
    private static func tokens(_ text: String) throws -> [String: Double] {
        var tokens: [String: Double] = [:]
        for match in text.matches(of: /--([a-z-]+): #([0-9a-f]{6});/) {
            let value = try #require(Int(match.2, radix: 16))
            let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
                let share = Double(part) / 255
                return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            tokens[String(match.1)] = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        return tokens
    }

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
}

extension ConsoleFile {
    var text: String { String(decoding: body, as: UTF8.self) }
}
