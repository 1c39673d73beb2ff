/// The keys of a scenario file, by object. The reader rejects all others.
///
/// The cases have the names of the definitions in `Sources/ReadyScenarios/scenarios.schema.json`.
enum ScenarioKeys: String, CaseIterable {
    case file, request, match, response, timeline, step, expectation, client

    var known: [String] {
        switch self {
        case .file: ["$schema", "title", "summary", "requests", "timelines"]
        case .request: ["match", "default", "responses"]
        case .match: ["method", "scheme", "host", "path", "query"]
        case .response:
            ["summary", "group", "status", "headers"] + Self.bodies
                + ["bodyBytes", "bytesPerSecond", "error", "fault", "delay", "jitter", "client", "at"]
        case .timeline: ["summary", "client", "at", "request", "steps", "repeats", "expect"]
        case .step: ["response", "for", "times", "note", "client", "at"]
        case .expectation: ["from", "to", "within", "by"]
        case .client: ["version", "osVersion", "installID", "facts"]
        }
    }

    /// A response has at most one of these.
    static let bodies = ["json", "text", "base64", "file"]

    /// The names of failures of the connection in a scenario file, with their `URLError` codes.
    static let failures: KeyValuePairs = [
        "offline": -1009, "timedOut": -1001, "connectionRefused": -1004, "connectionLost": -1005, "hostNotFound": -1003,
        "dnsFailed": -1006, "tlsFailed": -1200, "certificateUntrusted": -1202, "certificateExpired": -1201,
        "badServerResponse": -1011, "tooManyRedirects": -1007, "cancelled": -999,
    ]
}
