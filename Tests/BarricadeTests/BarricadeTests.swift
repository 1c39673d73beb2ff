import Barricade
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every test sends its requests through a real `URLSession`, like an app.
@Suite struct BarricadeTests {
    static let status = URL(string: "https://demo.local/status")!

    static func barricade(_ responses: [Response], default name: String? = nil) -> BarricadeServer {
        let barricade = BarricadeServer()
        barricade.register(ResponseSet("status", url: status, responses: responses, default: name))
        return barricade
    }

    static let live = Response("live", json: ["apiInactive": false])
    static let killed = Response("killed", json: ["apiInactive": true])

    @Test("The first response is returned until another one is selected")
    func firstResponseIsDefault() async throws {
        let barricade = Self.barricade([Self.live, Self.killed])

        let first = try await barricade.get(Self.status)
        #expect(first.text == #"{"apiInactive":false}"#)
        #expect(first.head.statusCode == 200)
        #expect(first.head.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(first.head.value(forHTTPHeaderField: "Content-Length") == "21")

        try barricade.select("killed", for: "status")
        #expect(try await barricade.get(Self.status).text == #"{"apiInactive":true}"#)
        #expect(barricade.selectedResponse(for: "status")?.name == "killed")

        barricade.resetSelections()
        #expect(try await barricade.get(Self.status).text == #"{"apiInactive":false}"#)
    }

    @Test func aTextIsAnsweredAsItIsWritten() async throws {
        let barricade = Self.barricade([Response("text", statusCode: 503, headers: ["Retry-After": "9"], text: "später")])
        let answer = try await barricade.get(Self.status)
        #expect(answer.text == "später")
        #expect(answer.head.statusCode == 503)
        #expect(answer.head.value(forHTTPHeaderField: "Retry-After") == "9")
        #expect(answer.head.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
    }

    @Test func answersWithTheNamedDefault() async throws {
        let barricade = Self.barricade([Self.live, Self.killed], default: "killed")
        #expect(try await barricade.get(Self.status).text == #"{"apiInactive":true}"#)
    }

    @Test("Status code, headers and body are returned as they were written")
    func responseIsReturnedAsWritten() async throws {
        let page = String(repeating: "<p>Hello, 世界</p>", count: 5000)
        let barricade = Self.barricade([
            Response("busy", statusCode: 503, headers: ["Retry-After": "7", "Content-Type": "text/html"], body: Data(page.utf8)),
            Response("empty", statusCode: 204),
        ])
        let busy = try await barricade.get(Self.status)
        #expect(busy.head.statusCode == 503)
        #expect(busy.head.value(forHTTPHeaderField: "Retry-After") == "7")
        #expect(busy.text == page)

        try barricade.select("empty", for: "status")
        let empty = try await barricade.get(Self.status)
        #expect(empty.head.statusCode == 204)
        #expect(empty.text == "")
    }

    @Test func failsAsTheConnectionWould() async throws {
        let barricade = Self.barricade([Response("offline", failure: .notConnectedToInternet)])
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.status) }
        #expect(error?.code == .notConnectedToInternet)
    }

    @Test func anUnmatchedRequestFailsAndNamesItsAddress() async {
        let session = URLSession(configuration: Self.barricade([Self.live]).configuration)
        let barricade = Self.barricade([Self.live])
        let guarded = URLSession(configuration: barricade.configuration)
        let error = await #expect(throws: URLError.self) {
            try await guarded.answer(URL(string: "https://demo.local/elsewhere?page=2")!)
        }
        #expect(
            error?.localizedDescription
                == "the barricade has no response for GET https://demo.local/elsewhere?page=2; register a response set that matches it"
        )
        #expect(error?.code == .resourceUnavailable)
        let orphaned = await #expect(throws: URLError.self) { try await session.answer(Self.status) }
        #expect(orphaned?.localizedDescription == "the barricade of this session no longer exists")
    }

    @Test("A URL matches regardless of its query, but not with another scheme, port or path")
    func queryIsIgnoredInMatch() async throws {
        let barricade = Self.barricade([Self.live])
        #expect(try await barricade.get(URL(string: "HTTPS://Demo.Local/status?v=2")!).head.statusCode == 200)
        for other in ["http://demo.local/status", "https://demo.local:8443/status", "https://demo.local/status/x"] {
            await #expect(throws: URLError.self) { try await barricade.get(URL(string: other)!) }
        }
    }

    @Test func setsAreTriedInTheOrderOfRegistration() async throws {
        let barricade = BarricadeServer()
        barricade.register(ResponseSet("writes", responses: [Response("made", statusCode: 201)]) { $0.httpMethod == "POST" })
        barricade.register(ResponseSet("all", responses: [Response("fine", statusCode: 200)]) { _ in true })
        let session = URLSession(configuration: barricade.configuration)

        var post = URLRequest(url: Self.status)
        post.httpMethod = "POST"
        #expect(try await session.answer(post).head.statusCode == 201)
        #expect(try await session.answer(Self.status).head.statusCode == 200)

        barricade.register(ResponseSet("writes", responses: [Response("full", statusCode: 507)]) { $0.httpMethod == "POST" })
        #expect(try await session.answer(post).head.statusCode == 507)
        barricade.unregister("writes")
        #expect(try await session.answer(post).head.statusCode == 200)
        #expect(barricade.responseSets.map(\.requestName) == ["all"])
    }

    @Test func aSelectionThatNamesNothingSaysWhatThereIs() {
        let barricade = Self.barricade([Self.live, Self.killed])
        #expect(throws: BarricadeError.unknownResponse("dead", request: "status", known: ["live", "killed"])) {
            try barricade.select("dead", for: "status")
        }
        let error = #expect(throws: BarricadeError.self) { try barricade.select("live", for: "login") }
        #expect(error?.description == #"no request is named "login"; there is "status""#)
        #expect(barricade.selectedResponse(for: "status")?.name == "live")
    }

    @Test("An error for an unknown name suggests a similar one and lists only a few")
    func errorSuggestsName() {
        let names = (1...9).map { "response \($0)" }
        let near = BarricadeError.unknownTimeline("respnse 3", known: names),
            far = BarricadeError.unknownTimeline("x", known: names)
        #expect(near.description == #"no timeline is named "respnse 3"; did you mean "response 3"?"#)
        #expect(far.description.hasPrefix(#"no timeline is named "x"; there are 9, such as "response 1", "response 2""#))
        #expect(!far.description.contains("response 7"))
        #expect(BarricadeError.unknownTimeline("x", known: []).description == #"no timeline is named "x"; there is none"#)
    }

    @Test func aSetWithoutResponsesSaysSo() async {
        let barricade = Self.barricade([])
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.status) }
        #expect(
            error?.localizedDescription
                == #"the barricade's set "status" has no responses to give to GET https://demo.local/status"#)
    }

    @Test func aValueThatIsNoJSONFailsAndSaysWhy() async {
        let barricade = Self.barricade([Response("bad", json: ["retryInterval": Double.nan])])
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.status) }
        #expect(error?.localizedDescription.hasPrefix(#"the response "bad" can't be written as JSON"#) == true)
    }

    @Test func barricadesStandSideBySide() async throws {
        let barricades = (0..<40).map { Self.barricade([Response("own", body: Data("\($0)".utf8))]) }
        let sessions = barricades.map { URLSession(configuration: $0.configuration) }
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (number, session) in sessions.enumerated() {
                group.addTask { (number, try await session.answer(Self.status).text) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "\($0)") }))
        #expect(barricades.count == 40)
    }

    @Test func noHeaderIsAddedToARequest() async throws {
        let seen = Seen()
        let barricade = BarricadeServer()
        barricade.register(
            ResponseSet("all", responses: [Self.live]) { request in
                seen.record(request.allHTTPHeaderFields ?? [:])
                return true
            })
        var request = URLRequest(url: Self.status)
        request.setValue("abc", forHTTPHeaderField: "If-None-Match")
        _ = try await URLSession(configuration: barricade.configuration).answer(request)
        #expect(seen.headers == ["If-None-Match": "abc"])
    }

    @Test("A delayed response arrives complete, and a pending request can be cancelled")
    func delayedResponseIsCancellable() async throws {
        let barricade = Self.barricade([
            Response("slow", body: Data("late".utf8), delay: .milliseconds(30), jitter: .milliseconds(5)),
            Response("never", outcome: .silence),
        ])
        #expect(try await barricade.get(Self.status).text == "late")

        try barricade.select("never", for: "status")
        let task = Task { try await barricade.get(Self.status) }
        task.cancel()
        let error = await #expect(throws: (any Error).self) { _ = try await task.value }
        #expect((error as? URLError)?.code == .cancelled || error is CancellationError)
    }
}
