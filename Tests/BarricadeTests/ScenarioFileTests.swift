import Barricade
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct ScenarioFileTests {
    static func read(_ text: String) throws -> ScenarioFile {
        try ScenarioFile(json: Data(text.utf8), file: "story.json")
    }

    static func complaint(_ text: String) -> String {
        do {
            _ = try read(text)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// A file with one response that has these members.
    static func response(_ members: String) -> String {
        #"{"requests":{"status":{"responses":{"a":{\#(members)}}}}}"#
    }

    /// A file with one timeline that has these members.
    static func timeline(_ members: String) -> String {
        #"{"requests":{"status":{"responses":{"a":{},"b":{}}}},"timelines":{"t":{\#(members)}}}"#
    }

    // MARK: Accepted files

    @Test func aSmallFileNeedsLittle() throws {
        let file = try Self.read(#"{"requests": {"status": {"responses": {"live": {"json": {"apiInactive": false}}}}}}"#)
        let live = ScenarioResponse("live", answer: .reply(ScenarioReply(body: .json(#"{"apiInactive":false}"#))))
        #expect(file == ScenarioFile(requests: [ScenarioRequest("status", responses: [live])]))
    }

    /// A file that uses every key.
    static let everything = #"""
        {
          "$schema": "scenarios.schema.json",
          "title": "Planned maintenance",
          "summary": "An hour in a minute.",
          "requests": {
            "status": {
              "match": { "method": "GET", "scheme": "https", "host": "demo.local", "path": "/status", "query": { "v": "*" } },
              "default": "live",
              "responses": {
                "busy": { "summary": "no time", "group": "Failures", "status": 503, "headers": { "Retry-After": "12" }, "text": "busy\n" },
                "live": { "json": { "apiInactive": false, "retryInterval": 1e400 }, "delay": 0.25, "jitter": 0.000001 },
                "bytes": { "base64": "AAH/", "bytesPerSecond": 10, "fault": "truncatedBody" },
                "huge": { "file": "bodies/live.json", "bodyBytes": 200000000 },
                "cut": { "text": "half", "fault": "resetMidBody" },
                "stalled": { "text": "half", "fault": "stallMidBody" },
                "silent": { "fault": "neverAnswer", "delay": 1 },
                "offline": { "error": "offline" },
                "odd error": { "error": -1022 }
              }
            },
            "list": { "responses": { "empty": { "json": [] } } }
          },
          "timelines": {
            "maintenance": {
              "summary": "Pause, then back.",
              "request": "status",
              "steps": [
                { "response": "live", "for": 10, "note": "all is well" },
                { "response": "busy", "times": 3 },
                { "response": "live" }
              ],
              "repeats": true,
              "expect": [{ "from": "unknown", "to": "active" }, { "from": "active", "to": "killed", "within": 12.5 }]
            }
          }
        }
        """#

    @Test func everyKeyIsRead() throws {
        let file = try Self.read(Self.everything)
        #expect(file.title == "Planned maintenance")
        #expect(file.summary == "An hour in a minute.")
        #expect(file.requests.map(\.name) == ["status", "list"])

        let status = try #require(file.request("status"))
        #expect(
            status.match
                == RequestMatch(method: "GET", scheme: "https", host: "demo.local", path: "/status", query: ["v": "*"])
        )
        #expect(status.defaultResponse == "live")
        #expect(
            status.responses.map(\.name) == ["busy", "live", "bytes", "huge", "cut", "stalled", "silent", "offline", "odd error"])
        #expect(
            status["busy"]
                == ScenarioResponse(
                    "busy", summary: "no time", group: "Failures",
                    answer: .reply(ScenarioReply(statusCode: 503, headers: ["Retry-After": "12"], body: .text("busy\n")))
                )
        )
        #expect(
            status["live"]
                == ScenarioResponse(
                    "live", answer: .reply(ScenarioReply(body: .json(#"{"apiInactive":false,"retryInterval":1e400}"#))),
                    delay: .milliseconds(250), jitter: .microseconds(1)
                )
        )
        #expect(
            status["bytes"]?.answer
                == .reply(ScenarioReply(body: .data([0, 1, 255]), bytesPerSecond: 10, ending: .truncatedBody))
        )
        #expect(status["huge"]?.answer == .reply(ScenarioReply(body: .file("bodies/live.json"), bodyBytes: 200_000_000)))
        #expect(status["cut"]?.answer == .reply(ScenarioReply(body: .text("half"), ending: .resetMidBody)))
        #expect(status["stalled"]?.answer == .reply(ScenarioReply(body: .text("half"), ending: .stallMidBody)))
        #expect(status["silent"] == ScenarioResponse("silent", answer: .silence, delay: .seconds(1)))
        #expect(status["offline"]?.answer == .failure(code: -1009))
        #expect(status["odd error"]?.answer == .failure(code: -1022))

        #expect(
            file.timelines == [
                Timeline(
                    "maintenance", summary: "Pause, then back.", request: "status",
                    steps: [
                        .init("live", .lasting(.seconds(10)), note: "all is well"), .init("busy", .times(3)), .init("live"),
                    ],
                    repeats: true,
                    expectations: [
                        .init(from: "unknown", to: "active"),
                        .init(from: "active", to: "killed", within: .milliseconds(12500)),
                    ]
                )
            ]
        )
    }

    @Test("A written scenario file reads back unchanged")
    func scenarioFileRoundTrips() throws {
        let file = try Self.read(Self.everything)
        #expect(try Self.read(file.json) == file)
    }

    @Test func aFileIsWrittenForPeople() {
        let file = ScenarioFile(
            title: "T",
            requests: [
                ScenarioRequest(
                    "status", match: RequestMatch(path: "/status"),
                    responses: [
                        ScenarioResponse(
                            "a", answer: .reply(ScenarioReply(body: .json(#"{"apiInactive":true}"#))), delay: .milliseconds(41)),
                        ScenarioResponse("b", answer: .reply(ScenarioReply(body: .text("\u{1B}[2J \u{202E}é😀")))),
                        ScenarioResponse("c", answer: .reply(ScenarioReply(body: .json("not JSON")))),
                    ]
                )
            ],
            timelines: [
                Timeline("t", request: "status", steps: [.init("a", .lasting(.milliseconds(1500))), .init("b", .times(2))])
            ]
        )
        #expect(
            file.json == #"""
                {
                  "title": "T",
                  "requests": {
                    "status": {
                      "match": { "path": "/status" },
                      "responses": {
                        "a": { "json": { "apiInactive": true }, "delay": 0.041 },
                        "b": { "text": "\u001b[2J \u202eé😀" },
                        "c": { "text": "not JSON" }
                      }
                    }
                  },
                  "timelines": {
                    "t": {
                      "request": "status",
                      "steps": [{ "response": "a", "for": 1.5 }, { "response": "b", "times": 2 }]
                    }
                  }
                }

                """#
        )
    }

    @Test func theOnlyRequestNeedNotBeNamed() throws {
        let file = try Self.read(Self.timeline(#""steps":[{"response":"a"}]"#))
        #expect(file.timelines.first?.request == "status")
    }

    // MARK: Refused files

    @Test(
        "An invalid scenario file is reported with the line of the error",
        arguments: [
            (#"{"requests": {"#, #"story.json:1: not JSON: expected a name in quotes, found the end of the text"#),
            ("", "story.json:1: not JSON: expected a value, found the end of the text"),
            ("{\n\"requests\": {},\n}", #"story.json:3: not JSON: expected a name in quotes, found "}""#),
            ("[]", "story.json:1: expected an object, found an array"),
            ("{}", #"story.json:1: "requests" is missing"#),
            (String(repeating: "[", count: 100_000), "story.json:1: more than 128 values inside each other"),
        ])
    func invalidFileNamesItsLine(text: String, complaint: String) {
        #expect(Self.complaint(text) == complaint)
    }

    @Test("A scenario file that is not UTF-8 is reported")
    func nonUTF8FileIsReported() {
        let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile(json: Data([0x7B, 0xFF]), file: "x.json") }
        #expect(error?.description == "x.json:1: the text is not UTF-8")
    }

    @Test(arguments: [
        (#""dealy": 1"#, #".dealy: unknown key; did you mean "delay"?"#),
        (
            #""statuscode": 1"#,
            ".statuscode: unknown key; there are summary, group, status, headers, json, text, base64, file, bodyBytes, bytesPerSecond, error, fault, delay, jitter, client, at"
        ),
        (#""delay": "soon""#, #".delay: expected a number of seconds, 0 or more, found the text "soon""#),
        (#""delay": -1"#, ".delay: expected a number of seconds, 0 or more, found -1"),
        (#""delay": 1e400"#, ".delay: expected a number of seconds, 0 or more, found 1e400"),
        (#""delay": 1, "delay": 2"#, ".delay: the key stands twice"),
        (#""status": 99"#, ".status: expected a status code, 200 to 599, found 99"),
        (#""status": 200.5"#, ".status: expected a status code, 200 to 599, found 200.5"),
        (#""headers": {"A": 1}"#, ".headers.A: expected text, found 1"),
        (#""headers": {"A": "1\r\nB: 2"}"#, ".headers.A: expected one line of text without control characters"),
        (#""json": {}, "text": """#, #".text: stands beside "json"; there can be one of json, text, base64, file"#),
        (#""base64": "?""#, #".base64: expected base 64, found the text "?""#),
        (
            #""file": "../secret""#,
            #".file: expected a relative path inside the scenario file's folder, found the text "../secret""#
        ),
        (
            #""file": "/etc/passwd""#,
            #".file: expected a relative path inside the scenario file's folder, found the text "/etc/passwd""#
        ),
        (
            #""error": "ofline""#,
            #".error: expected the code of a URLError, below 0, or one of offline, timedOut, connectionRefused, connectionLost, hostNotFound, dnsFailed, tlsFailed, certificateUntrusted, certificateExpired, badServerResponse, tooManyRedirects, cancelled, found the text "ofline""#
        ),
        (#""error": "offline", "status": 500"#, #".status: means nothing beside "error": there is no reply"#),
        (#""fault": "neverAnswer", "text": """#, #".text: means nothing beside "fault": there is no reply"#),
        (
            #""fault": "explode""#,
            #".fault: expected one of "neverAnswer", "resetMidBody", "truncatedBody", "stallMidBody", found the text "explode""#
        ),
        (#""bytesPerSecond": 0"#, ".bytesPerSecond: expected a number of bytes, 1 to 10^9, found 0"),
        (#""bodyBytes": true"#, ".bodyBytes: expected a number of bytes, 0 to 10^12, found true"),
    ])
    func aResponseThatIsWrongSaysWhere(members: String, complaint: String) {
        #expect(Self.complaint(Self.response(members)) == "story.json:1: requests.status.responses.a" + complaint)
    }

    @Test(arguments: [
        (#""steps": []"#, "timelines.t.steps: expected a list of at least one step, found an array"),
        (#""request": "x", "steps": [{"response": "a"}]"#, #"timelines.t.request: no request is named "x"; there is "status""#),
        (
            #""steps": [{"response": "a"}, {"response": "c"}]"#,
            #"timelines.t.steps[1].response: no response is named "c"; there is "a", "b""#
        ),
        (#""steps": [{"for": 1}]"#, #"timelines.t.steps[0]: "response" is missing"#),
        (#""steps": [{"response": "a", "for": 0}]"#, "timelines.t.steps[0].for: expected a number of seconds above 0, found 0"),
        (
            #""steps": [{"response": "a", "for": "10"}]"#,
            #"timelines.t.steps[0].for: expected a number of seconds above 0, found the text "10""#
        ),
        (
            #""steps": [{"response": "a", "times": 0}]"#,
            "timelines.t.steps[0].times: expected a whole number, 1 to 1000000, found 0"
        ),
        (
            #""steps": [{"response": "a", "for": 1, "times": 1}]"#,
            #"timelines.t.steps[0].times: stands beside "for"; there can be one of for, times"#
        ),
        (
            #""steps": [{"response": "a"}], "expect": [{"from": "unknown", "to": "stopped"}]"#,
            #"timelines.t.expect[0].to: expected one of "unknown", "live", "paused", "update", "active", "killed", "updateRequired", found the text "stopped""#
        ),
        (#""steps": [{"response": "a"}], "repeat": true"#, #"timelines.t.repeat: unknown key; did you mean "repeats"?"#),
    ])
    func aTimelineThatIsWrongSaysWhere(members: String, complaint: String) {
        #expect(Self.complaint(Self.timeline(members)) == "story.json:1: " + complaint)
    }

    @Test func allThatIsWrongIsSaidInTheOrderOfLines() {
        let text = """
            {
              "requests": {
                "status": {
                  "match": { "path": "status", "host": "https://demo.local" },
                  "default": "dead",
                  "responses": {
                    "HTTP 500": { "status": "five" },
                    "live": {},
                    "live": {}
                  }
                }
              },
              "timelines": { "t": { "request": "status", "steps": [{ "response": "live", "for": [] }] } }
            }
            """
        #expect(
            Self.complaint(text) == """
                story.json:4: requests.status.match.path: expected a path that begins with "/", found the text "status"
                story.json:4: requests.status.match.host: expected a host without scheme, port or path, found the text "https://demo.local"
                story.json:5: requests.status.default: no response is named "dead"; there is "HTTP 500", "live"
                story.json:7: requests.status.responses["HTTP 500"].status: expected a status code, 200 to 599, found the text "five"
                story.json:9: requests.status.responses.live: the name stands twice
                story.json:13: timelines.t.steps[0].for: expected a number of seconds above 0, found an array
                """
        )
    }

    @Test func aNameThatWouldDisturbAListIsRefused() {
        let text = #"{"requests":{"status":{"responses":{"a\u001b[2J":{}}}}}"#
        #expect(
            Self.complaint(text)
                == #"story.json:1: requests.status.responses["a\u001b[2J"]: expected a name of 1 to 80 characters without control characters"#
        )
    }
}

@Suite struct RequestMatchTests {
    static func request(_ address: String, method: String = "GET") -> URLRequest {
        var request = URLRequest(url: URL(string: address) ?? URL(filePath: "/"))
        request.httpMethod = method
        return request
    }

    @Test(
        "Criteria omitted from a request match accept any value",
        arguments: [
            (RequestMatch(), "https://a.example/x?y=1", true),
            (RequestMatch(method: "get"), "http://a.example", true),
            (RequestMatch(method: "POST"), "http://a.example", false),
            (RequestMatch(scheme: "https"), "HTTPS://a.example", true),
            (RequestMatch(scheme: "https"), "http://a.example", false),
            (RequestMatch(host: "A.example"), "http://a.EXAMPLE:8080/", true),
            (RequestMatch(host: "a.example"), "http://b.a.example/", false),
            (RequestMatch(path: "/"), "http://a.example", true),
            (RequestMatch(path: "/status"), "http://a.example/status?x", true),
            (RequestMatch(path: "/status"), "http://a.example/status/x", false),
            (RequestMatch(path: "/status"), "http://a.example/Status", false),
            (RequestMatch(path: "/api/*"), "http://a.example/api/v1/list", true),
            (RequestMatch(path: "/api/*"), "http://a.example/apis", false),
            (RequestMatch(query: ["v": "2"]), "http://a.example/?w=1&v=2", true),
            (RequestMatch(query: ["v": "2"]), "http://a.example/?v=1", false),
            (RequestMatch(query: ["v": "*"]), "http://a.example/?v=1", true),
            (RequestMatch(query: ["v": "*"]), "http://a.example/", false),
            (RequestMatch(query: ["v": ""]), "http://a.example/?v", true),
        ])
    func omittedCriteriaMatchAnything(match: RequestMatch, address: String, isMatch: Bool) {
        #expect(match.matches(Self.request(address)) == isMatch)
    }
}
