import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// The page for the person on call, and its parts. They contain no data; the page reads those with a token.
    var consoleEndpoints: [Endpoint] {
        guard hasConsole else { return [] }
        return ConsoleFile.all.map { file in
            Endpoint(.GET, "\(file.path)", .other) { _ in file.response }
        }
    }
}

/// A file of the console, which the program contains.
struct ConsoleFile: Sendable {
    let path: String
    let type: String
    let body: [UInt8]

    /// - Parameter parts: files of this folder, in this order; a blank line separates two.
    private init(_ path: String, _ type: String, _ parts: [UInt8]...) {
        (self.path, self.type) = (path, type)
        body = Array(parts.joined(separator: "\n".utf8))
    }

    /// The page refers to the others with relative addresses, so that it also works behind a proxy that adds a prefix.
    static let page = ConsoleFile("/console", "text/html; charset=utf-8", PackageResources.console_html)

    /// One module. The token is a variable of it. Text from the server becomes text of the page, never markup.
    static let script = ConsoleFile(
        "/console/console.js", "text/javascript; charset=utf-8", PackageResources.basics_js, PackageResources.requests_js,
        PackageResources.reading_js, PackageResources.apps_js, PackageResources.journal_js, PackageResources.dialogs_js,
        PackageResources.translations_js, PackageResources.publishing_js, PackageResources.planning_js,
        PackageResources.proposals_js, PackageResources.session_js)

    /// Every pair of text and background that the page uses has a contrast of at least 4.5:1; a test computes it.
    static let style = ConsoleFile(
        "/console/console.css", "text/css; charset=utf-8", PackageResources.tokens_css, PackageResources.base_css,
        PackageResources.parts_css, PackageResources.dialogs_css)

    static let icon = ConsoleFile("/console/icon.svg", "image/svg+xml", PackageResources.icon_svg)

    static let all = [page, script, style, icon]

    /// Nothing but scripts, styles and requests of this origin, and never in a frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    /// Not stored, so that a browser never shows the page of an older version.
    var response: Response {
        let headers: HTTPHeaders = [
            "Content-Type": type, "Cache-Control": CachePolicy.none, "Content-Security-Policy": Self.policy,
            "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        ]
        return Response(status: .ok, headers: headers, body: .bytes(ByteBuffer(bytes: body)))
    }
}
