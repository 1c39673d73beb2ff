#if Server
import HTTPTypes
import NIOCore

extension ServerRouter {
    /// The page for the person on call, and its parts. They contain no data; the page reads those with a token.
    var consoleEndpoints: [Endpoint] {
        guard hasConsole else { return [] }
        return ConsoleFile.all.map { file in
            Endpoint(.get, PathPattern(file.path), .other) { _ in file.response }
        }
    }
}

/// A file of the console, which the program contains.
struct ConsoleFile: Sendable {
    let path: String
    let type: String
    let text: String

    /// The page refers to the others with relative addresses, so that it also works behind a proxy that adds a prefix.
    static let all = [
        ConsoleFile(path: "/console", type: "text/html; charset=utf-8", text: ConsolePage.text),
        ConsoleFile(path: "/console/console.js", type: "text/javascript; charset=utf-8", text: ConsoleScript.text),
        ConsoleFile(path: "/console/console.css", type: "text/css; charset=utf-8", text: ConsoleStyle.text),
        ConsoleFile(path: "/console/icon.svg", type: "image/svg+xml", text: ConsolePage.icon),
    ]

    /// Nothing but scripts, styles and requests of this origin, and never in a frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    /// Not stored, so that a browser never shows the page of an older version.
    var response: Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: CachePolicy.none, .contentSecurityPolicy: Self.policy]
        for (name, value) in Self.protection {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: .ok, headers: headers, body: .bytes(ByteBuffer(string: text)))
    }

    private static let protection = [
        ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
#endif
