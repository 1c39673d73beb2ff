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
}

/// The names of connection failures in a scenario file, with their `URLError` codes.
enum FailureName: String, CaseIterable {
    case offline, timedOut, connectionRefused, connectionLost, hostNotFound, dnsFailed, tlsFailed
    case certificateUntrusted, certificateExpired, badServerResponse, tooManyRedirects, cancelled

    var code: Int {
        switch self {
        case .offline: -1009
        case .timedOut: -1001
        case .connectionRefused: -1004
        case .connectionLost: -1005
        case .hostNotFound: -1003
        case .dnsFailed: -1006
        case .tlsFailed: -1200
        case .certificateUntrusted: -1202
        case .certificateExpired: -1201
        case .badServerResponse: -1011
        case .tooManyRedirects: -1007
        case .cancelled: -999
        }
    }

    init?(code: Int) {
        guard let name = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = name
    }
}
