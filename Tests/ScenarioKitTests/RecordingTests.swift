import Barricade
import Bellerophon
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProgramKit
@testable import ScenarioKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The scenario files that recorded exchanges produce.
@Suite struct RecordingTests {
    private static let origin = ContinuousClock.now
    static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":2,"userMessage":null}"#
    static let paused = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":2,"userMessage":"Back at noon."}"#
    static let date = Date(timeIntervalSince1970: 1_769_868_131)

    static func exchange(
        _ seconds: Double, _ body: String = live, status: Int? = 200, headers: [String: String] = [:],
        tag: String? = nil, latency: Int = 40, failure: StatusError.Reason? = nil
    ) -> StatusExchange {
        let metadata = ExchangeMetadata(httpStatus: status, latency: .milliseconds(latency), bytes: body.utf8.count)
        var exchange = StatusExchange(metadata: metadata, body: Data(body.utf8))
        (exchange.startedAt, exchange.headers) = (origin + .seconds(seconds), headers)
        (exchange.entityTag, exchange.failure) = (tag, failure)
        return exchange
    }

    private func record(
        _ exchanges: [StatusExchange], keepsSecrets: Bool = false, requestHeaders: [String] = []
    ) throws -> ScenarioFile {
        var recording = Recording(
            source: "127.0.0.1:8080/status", app: AppFacts(), date: Self.date, requestHeaders: requestHeaders,
            keepsSecrets: keepsSecrets
        )
        for exchange in exchanges { recording.add(exchange, at: Self.date) }
        // The written file must read back unchanged.
        let file = try ScenarioFile(json: Data(recording.file.json.utf8))
        #expect(file == recording.file)
        return file
    }

    private func reply(_ file: ScenarioFile, _ name: String) throws -> ScenarioReply {
        guard case .reply(let reply) = try #require(file.requests.first?[name]).answer else {
            throw TestError("\(name) is no reply")
        }
        return reply
    }

    @Test("Equal replies are recorded as one step that ends halfway to the next reply")
    func equalRepliesAreOneStep() throws {
        let file = try record([
            Self.exchange(0, latency: 40), Self.exchange(2, latency: 25), Self.exchange(4, latency: 60),
            Self.exchange(6, Self.paused), Self.exchange(8, Self.paused), Self.exchange(10),
        ])
        #expect(file.title == "Recorded from 127.0.0.1:8080/status")
        #expect(file.summary == "Begun at 2026-01-31T14:02:11Z.")
        let timeline = try #require(file.timeline("recorded"))
        #expect(timeline.steps == [.init("live", .lasting(.seconds(5))), .init("paused", .lasting(.seconds(4))), .init("live")])
        #expect(
            timeline.expectations == [
                .init(from: "unknown", to: "active"), .init(from: "active", to: "killed"), .init(from: "killed", to: "active"),
            ])
        let live = try #require(file.requests.first?["live"])
        #expect(live.delay == .milliseconds(25))
        #expect(live.jitter == .milliseconds(35))
        #expect(live.answer == .reply(ScenarioReply(body: .json(Self.live))))
        #expect(file.requests.first?["paused"]?.summary == "Back at noon.")
    }

    @Test func failuresAreRecordedAsTheyCame() throws {
        let file = try record([
            Self.exchange(0, "no such page", status: 404, headers: ["Content-Type": "text/plain"]),
            Self.exchange(1, "", status: nil, failure: .transport(code: -1004, message: "could not connect")),
            Self.exchange(2, "", status: nil, failure: .timedOut(after: .seconds(10))),
            Self.exchange(3, #"{"apiIn"#, failure: .timedOut(after: .seconds(10))),
            Self.exchange(4, "    ", failure: .tooLarge(limit: 65536)),
            Self.exchange(5, "<html>", headers: ["Content-Type": "text/html"]),
            Self.exchange(
                6, "", status: 302, headers: ["Location": "https://portal.example/login?mac=aa%3Abb"],
                failure: .redirectRefused("the server points to another origin")),
            Self.exchange(7, "", status: 999),
            Self.exchange(8, "", status: nil, failure: .cancelled),
        ])
        let answers = try #require(file.requests.first).responses.map { ($0.name, $0.answer) }
        let expected: [(String, ScenarioResponse.Answer)] = [
            (
                "HTTP 404",
                .reply(ScenarioReply(statusCode: 404, headers: ["Content-Type": "text/plain"], body: .text("no such page")))
            ),
            ("no connection", .failure(code: -1004)),
            ("timeout", .silence),
            ("timeout 2", .reply(ScenarioReply(body: .text(#"{"apiIn"#), ending: .stallMidBody))),
            ("too large", .reply(ScenarioReply(body: .text("    "), bodyBytes: 65537))),
            ("invalid reply", .reply(ScenarioReply(headers: ["Content-Type": "text/html"], body: .text("<html>")))),
            ("redirect", .reply(ScenarioReply(statusCode: 302, headers: ["Location": "https://portal.example/login"]))),
            ("HTTP 999", .failure(code: -1011)),
        ]
        #expect(answers.map(\.0) == expected.map(\.0))
        for (answer, expectation) in zip(answers, expected) { #expect(answer.1 == expectation.1, "\(answer.0)") }
        #expect(file.timelines.first?.expectations.isEmpty == true)
    }

    @Test func secretsStayOutUnlessAskedFor() throws {
        let headers = [
            "Set-Cookie": "sid=1", "authorization": "Bearer 2", "Cookie": "3", "Proxy-Authorization": "4", "X-Auth-Token": "5",
            "X-Key": "6", "Server": "nginx", "Date": "now", "Content-Length": "78", "Location": "/a?b#c",
        ]
        let file = try record([Self.exchange(0, headers: headers)], requestHeaders: ["X-Key"])
        #expect(
            try reply(file, "live").head.headers == [
                "Set-Cookie": "[redacted]", "authorization": "[redacted]", "Cookie": "[redacted]",
                "Proxy-Authorization": "[redacted]", "X-Auth-Token": "[redacted]", "X-Key": "[redacted]", "Server": "nginx",
                "Location": "/a",
            ])
        let open = try record([Self.exchange(0, headers: headers)], keepsSecrets: true, requestHeaders: ["X-Key"])
        #expect(try reply(open, "live").head.headers["Set-Cookie"] == "sid=1")
        #expect(try reply(open, "live").head.headers["X-Key"] == "6")
        #expect(try reply(open, "live").head.headers["Location"] == "/a?b#c")
    }

    @Test(
        "Secrets in headers are recognized by name or form and redacted",
        arguments: [
            ("Set-Cookie2", "[redacted]"), ("X-Forwarded-Authorization", "[redacted]"), ("X-Auth-Key", "[redacted]"),
            ("X-CSRF", "[redacted]"), ("X-Credentials", "[redacted]"), ("X-Signature", "[redacted]"),
            ("Content-Location", "/status"), ("Link", #"</page>; rel="next", </last>; rel="last""#), ("Refresh", "5; url=/login"),
            ("Location", "https://host/a,b"), ("WWW-Authenticate", "Basic"), ("X-Cache", "HIT"),
        ])
    func secretHeadersAreRedacted(name: String, kept: String) throws {
        let values = [
            "Content-Location": "/status?token=1", "Link": #"</page?sig=1>; rel="next", </last?sig=2>; rel="last""#,
            "Refresh": "5; url=/login?ticket=1#2", "Location": "https://me:1@host/a,b?next=x,y",
            "WWW-Authenticate": "Basic", "X-Cache": "HIT",
        ]
        let file = try record([Self.exchange(0, headers: [name: values[name] ?? "1"])])
        #expect(try reply(file, "live").head.headers == [name: kept])
    }

    @Test("Headers that change with every reply do not create new steps")
    func changingHeadersMakeNoStep() throws {
        let file = try record((0..<5).map { Self.exchange(Double($0), headers: ["X-Request-Id": "\($0)"]) })
        #expect(file.requests.first?.responses.count == 1)
        #expect(file.timelines.first?.steps == [.init("live")])
    }

    @Test("HTTP 304 is recorded as the reply that it confirms")
    func notModifiedRepeatsReply() throws {
        let file = try record([
            Self.exchange(0, headers: ["ETag": "\"a\""], tag: "\"a\""), Self.exchange(2, "", status: 304),
            Self.exchange(4, "", status: 500), Self.exchange(6, "", status: 304),
        ])
        #expect(file.timelines.first?.steps.map(\.response) == ["live", "HTTP 500", "live"])
        #expect(try record([Self.exchange(0, "", status: 304)]).requests.first?["HTTP 304"] != nil)
    }

    @Test func aRetryAfterThatNamesATimeBecomesSeconds() throws {
        var busy = Self.exchange(0, "", status: 503, headers: ["Retry-After": "Sat, 31 Jan 2026 14:03:00 GMT"])
        busy.metadata.retryAfter = .seconds(49)
        #expect(try reply(try record([busy]), "HTTP 503").head.headers == ["Retry-After": "49"])
    }

    @Test(arguments: [
        "\u{FEFF}\(live)", String(repeating: "[", count: 500), "a\u{0}b\u{2028}\r\n\u{202E}", #"{"a":1,"a":2}"#,
        #"{"apiInactive":false,"forceUpdate":false,"retryInterval":1e999,"x":\#(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))}"#,
    ])
    func anyBodyIsKeptAndReadBack(body: String) throws {
        let file = try record([Self.exchange(0, body)])
        let request = try #require(file.requests.first)
        let set = request.responseSet()
        let response = try #require(set.responses.first)
        guard case .reply(let reply) = response.outcome(URLRequest(url: Simulation.url), nil) else {
            throw TestError("no reply")
        }
        #expect(String(decoding: reply.body, as: UTF8.self) == body)
    }

    @Test func bytesThatAreNoTextAreKept() throws {
        var exchange = Self.exchange(0)
        exchange.body = Data([0xFF, 0x00, 0xC3])
        #expect(try reply(try record([exchange]), "invalid reply").body == .data([0xFF, 0x00, 0xC3]))
    }

    @Test func aRecordingEndsAtItsLimits() {
        var recording = Recording(source: "x", app: AppFacts(), date: Self.date)
        let big = String(repeating: "x", count: 65_000)
        for number in 0..<200 { recording.add(Self.exchange(Double(number), "\(number)" + big), at: Self.date) }
        #expect(recording.isFull)
        #expect(recording.file.requests.first?.responses.count == Recording.bodyLimit / 65_003)
    }
}

/// The file of a recording.
@Suite struct RecorderTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func recorder(_ name: String = "outage.json") throws -> Recorder {
        try Recorder(folder.path(name), recording: Recording(source: "x", app: AppFacts(), date: RecordingTests.date))
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path))?.sorted() ?? [] }

    @Test func theFileIsWholeAfterEveryReply() throws {
        let recorder = try recorder()
        #expect(folder.text("outage.json") == "")
        for (second, body) in [RecordingTests.live, RecordingTests.paused].enumerated() {
            recorder.record(RecordingTests.exchange(Double(second), body))
            let text = try #require(folder.text("outage.json"))
            #expect(try ScenarioFile(json: Data(text.utf8)).timelines.first?.steps.count == second + 1)
            #expect(names == ["outage.json"], "nothing is left beside it")
        }
        let permissions = try FileManager.default.attributesOfItem(atPath: recorder.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        recorder.finish()
        #expect(names == ["outage.json"])
    }

    @Test func aFileWithContentIsNeverTouched() throws {
        try folder.write("mine", to: "outage.json")
        let error = #expect(throws: OutputFileError.self) { try recorder() }
        #expect(error?.problem == "exists and is not empty; a recording never overwrites a file")
        #expect(folder.text("outage.json") == "mine")
        #expect(throws: OutputFileError.self) { try recorder("no/such/folder.json") }
    }

    @Test("An empty file is used for a recording and removed if nothing is recorded")
    func emptyRecordingIsRemoved() throws {
        try folder.write("", to: "outage.json")
        try recorder().finish()
        #expect(names == [])
        let other = try recorder()
        other.record(RecordingTests.exchange(0))
        other.finish()
        #expect(names == ["outage.json"])
    }

    @Test func aFolderThatIsGoneIsSaidOnce() throws {
        let problems = Mutex<[String]>([])
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        let recorder = try recorder("sub/outage.json")
        recorder.onProblem { problem in problems.withLock { $0.append(problem) } }
        try FileManager.default.removeItem(atPath: folder.path("sub"))
        recorder.record(RecordingTests.exchange(0))
        recorder.record(RecordingTests.exchange(1))
        #expect(problems.withLock { $0.count } == 1)
        #expect(problems.withLock { $0.first }?.hasPrefix("recording: ") == true)
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        recorder.record(RecordingTests.exchange(2))
        #expect(folder.text("sub/outage.json")?.contains("recorded") == true)
    }
}
