import Barricade
import Bellerophon
import Foundation

/// The ready answers of a simulated status endpoint, grouped and described for the picker.
public enum StatusScenarios {
    /// The name of the kind of request that they answer.
    public static let requestName = "status"

    /// A response set for a status endpoint; it starts live.
    public static func responseSet(url: URL) -> ResponseSet {
        ResponseSet(requestName, url: url, responses: everyday + texts + failures + oddities)
    }

    private static let everyday = [
        status("live", "the app may run", in: "Everyday", interval: 8),
        status("paused", "a short message", in: "Everyday", inactive: true, interval: 6, message: ScenarioText.short),
        status("update required", "1.5.2 or later, with a link", in: "Everyday", update: true, interval: 10, fields: newer),
        status(
            "paused + update", "both are set: update outranks pause", in: "Everyday", inactive: true, update: true,
            interval: 10, message: "Please update; the old service has been switched off.", fields: newer
        ),
    ]

    private static let texts = [
        status(
            "paused, long message", "more than a screen, to scroll", in: "Messages", inactive: true, interval: 15,
            message: ScenarioText.long
        ),
        status(
            "paused, Chinese message", "wide characters", in: "Messages", inactive: true, interval: 8,
            message: ScenarioText.chinese
        ),
        status(
            "paused, emoji + RTL", "emoji, Arabic, Hebrew, accents", in: "Messages", inactive: true, interval: 8,
            message: ScenarioText.mixed
        ),
        status(
            "paused, hostile message", "escape sequences, bidi overrides", in: "Messages", inactive: true, interval: 8,
            message: ScenarioText.hostile
        ),
        status("paused, no message", "userMessage is null", in: "Messages", inactive: true, interval: 6),
    ]

    private static let failures = [
        Response("offline", summary: "no network connection", group: "Failures", failure: .notConnectedToInternet),
        Response("timeout", summary: "the connection times out", group: "Failures", failure: .timedOut, delay: .milliseconds(900)),
        Response(
            "HTTP 500", summary: "internal server error", group: "Failures", statusCode: 500, headers: plainText,
            text: "Internal Server Error\n"
        ),
        Response(
            "HTTP 503", summary: "busy, with Retry-After: 12", group: "Failures", statusCode: 503,
            headers: plainText.merging(["Retry-After": "12"]) { $1 }, text: "Service Unavailable\n"
        ),
        Response(
            "not JSON", summary: "a captive portal's HTML page", group: "Failures",
            headers: ["Content-Type": "text/html; charset=utf-8"], text: ScenarioText.captivePortal
        ),
    ]

    private static let oddities = [
        status("negative interval", "retryInterval -3, clamped to 1 s", in: "Edges", interval: -3),
        status("huge interval", "retryInterval 1e12, clamped to 1 h", in: "Edges", interval: 1e12),
        Response(
            "field missing", summary: "apiInactive is not there", group: "Edges", headers: json,
            text: #"{"forceUpdate": false, "retryInterval": 8}"#
        ),
        Response(
            "paused, broken message", summary: "userMessage is a number; still a pause", group: "Edges", headers: json,
            text: #"{"apiInactive": true, "forceUpdate": false, "retryInterval": 8, "userMessage": 42}"#
        ),
    ]

    private static let newer = ["requiredVersion": "1.5.2", "updateURL": "https://example.com/get"]
    private static let json = ["Content-Type": "application/json"]
    private static let plainText = ["Content-Type": "text/plain; charset=utf-8"]

    private static func status(
        _ name: String, _ summary: String, in group: String, inactive: Bool = false, update: Bool = false,
        interval: Double, message: String? = nil, fields: [String: String] = [:]
    ) -> Response {
        let body = StatusBody(
            apiInactive: inactive, forceUpdate: update, retryInterval: interval, userMessage: message,
            requiredVersion: fields["requiredVersion"], updateURL: fields["updateURL"]
        )
        // A wait like a real server's, so that the latency chart of a demonstration lives.
        return Response(name, summary: summary, group: group, json: body, delay: .milliseconds(18), jitter: .milliseconds(60))
    }
}

/// The status document as a server writes it.
private struct StatusBody: Encodable {
    let apiInactive: Bool
    let forceUpdate: Bool
    let retryInterval: Double
    let userMessage: String?
    let requiredVersion: String?
    let updateURL: String?
}

extension Response {
    fileprivate init(
        _ name: String, summary: String, group: String, statusCode: Int = 200, headers: [String: String], text: String
    ) {
        self.init(
            name, summary: summary, group: group, statusCode: statusCode, headers: headers, body: Data(text.utf8),
            delay: .milliseconds(12), jitter: .milliseconds(40)
        )
    }
}
