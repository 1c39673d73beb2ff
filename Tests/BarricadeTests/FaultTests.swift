import Barricade
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Faults as an app's code sees them: with a completion handler, and with a delegate.
struct FaultTests {
    static let url = URL(string: "https://demo.local/status") ?? URL(filePath: "/")
    static let text = Data("0123456789".utf8)

    static func barricade(_ reply: Response.Reply) -> BarricadeServer {
        .stub(Response("fault", outcome: .reply(reply)))
    }

    // MARK: Bodies

    @Test func aBodyCutHalfwayIsAnErrorEitherWay() async {
        let barricade = Self.barricade(.init(body: Self.text, ending: .resetMidBody))
        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.statusCode == 200)
        #expect(seen.announced == 10)
        #expect(seen.body == Data("01234".utf8))
        #expect(seen.error == .networkConnectionLost)

        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test func aTruncatedBodyEndsAsIfItWereWhole() async throws {
        let barricade = Self.barricade(.init(body: Self.text, ending: .truncatedBody))
        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.announced == 10)
        #expect(seen.body == Data("01234".utf8))
        #expect(seen.error == nil)
        #expect(try await barricade.get(Self.url).text == "01234")
    }

    @Test func aStalledBodyNeverEnds() async {
        let barricade = Self.barricade(.init(body: Self.text, ending: .stallMidBody))
        let collector = Collector(cancelsAfter: 4)
        let seen = await collector.load(Self.url, barricade.configuration)
        #expect(seen.body == Data("01234".utf8))
        #expect(seen.error == .cancelled)
    }

    @Test func aSlowBodyComesPieceByPieceToADelegate() async {
        let barricade = Self.barricade(.init(body: Self.text + Self.text, bytesPerSecond: 100))
        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.body == Self.text + Self.text)
        #expect(seen.pieces == 4)
    }

    @Test func aBodyThatWouldTakeAnHourIsNotThereAtOnce() async {
        let barricade = Self.barricade(.init(body: Data(count: 3600), bytesPerSecond: 1))
        let seen = await Collector(cancelsAfter: 1).load(Self.url, barricade.configuration)
        #expect(seen.error == .cancelled)
        #expect((1..<3600).contains(seen.bytes))
    }

    @Test func aSlowBodyComesWholeToACompletionHandler() async throws {
        let barricade = Self.barricade(.init(body: Self.text, bytesPerSecond: 200))
        #expect(try await barricade.get(Self.url).text == "0123456789")

        let withDelegate = URLSession(configuration: barricade.configuration, delegate: Collector(), delegateQueue: nil)
        #expect(try await withDelegate.answer(Self.url).text == "0123456789")
        withDelegate.finishTasksAndInvalidate()
    }

    @Test func anOversizedBodyComesInFullAndFlat() async {
        let barricade = Self.barricade(.init(body: Data("{}".utf8), bodyBytes: 200_000_000))
        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.announced == 200_000_000)
        #expect(seen.bytes == 200_000_000)
        #expect(seen.body.prefix(4) == Data("{}  ".utf8))
        #expect(seen.error == nil)
    }

    @Test func anOversizedBodyStopsWhenCancelled() async {
        let barricade = Self.barricade(.init(bodyBytes: 1_000_000_000_000))
        let collector = Collector(cancelsAfter: 1_000_000)
        let seen = await collector.load(Self.url, barricade.configuration)
        #expect(seen.error == .cancelled)
        #expect(seen.bytes < 2_000_000)
        #expect(collector.bytesSoFar == seen.bytes)
    }

    @Test("A body too large for memory is refused to a completion handler")
    func hugeBodyNeedsDelegate() async {
        let barricade = Self.barricade(.init(bodyBytes: 1_000_000_000_000))
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(error?.localizedDescription == "a body of 1000000000000 bytes can only be received in pieces, by a data delegate")
    }

    @Test func aPaddedDocumentIsStillOne() async throws {
        let barricade = Self.barricade(.init(body: Data("{}".utf8), bodyBytes: 8))
        let answer = try await barricade.get(Self.url)
        #expect(answer.text == "{}      ")
        #expect(answer.head.value(forHTTPHeaderField: "Content-Length") == "8")
    }

    @Test("A response with status 204 or 304 has no body", arguments: [204, 304])
    func noContentHasNoBody(statusCode: Int) async throws {
        let barricade = Self.barricade(.init(statusCode: statusCode, body: Self.text))
        let answer = try await barricade.get(Self.url)
        #expect(answer.head.statusCode == statusCode)
        #expect(answer.text == "")
        #expect(answer.head.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func aHeadRequestGetsTheLengthOnly() async throws {
        var request = URLRequest(url: Self.url)
        request.httpMethod = "HEAD"
        let barricade = Self.barricade(.init(body: Self.text))
        let answer = try await URLSession(configuration: barricade.configuration).answer(request)
        #expect(answer.text == "")
        #expect(answer.head.value(forHTTPHeaderField: "Content-Length") == "10")
    }

    // MARK: Redirects

    static func redirecting(_ statusCode: Int = 302, to place: String, headers: [String: String] = [:]) -> BarricadeServer {
        let barricade = BarricadeServer()
        barricade.stub(
            "status", where: RequestMatch(host: "demo.local", path: "/status"),
            with: Response("away", statusCode: statusCode, headers: ["location": place])
        )
        barricade.stub("new", where: RequestMatch(host: "demo.local", path: "/new"), with: Response("here", body: text))
        return barricade
    }

    @Test func aRedirectIsFollowedInside() async throws {
        let barricade = Self.redirecting(to: "/new")
        let answer = try await barricade.get(Self.url)
        #expect(answer.text == "0123456789")
        #expect(answer.head.url?.absoluteString == "https://demo.local/new")

        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.redirects == ["302 GET https://demo.local/new"])
        #expect(seen.body == Self.text)
    }

    @Test func aRefusedRedirectIsTheAnswer() async {
        let barricade = Self.redirecting(to: "https://evil.example/")
        let seen = await Collector(followsRedirects: false).load(Self.url, barricade.configuration)
        #expect(seen.redirects == ["302 GET https://evil.example/"])
        #expect(seen.statusCode == 302)
        #expect(seen.error == nil)
    }

    @Test func aLoopEnds() async {
        let barricade = Self.redirecting(to: "/status")
        let seen = await Collector().load(Self.url, barricade.configuration)
        #expect(seen.error == .httpTooManyRedirects)
        #expect(seen.redirects.count == 16)
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(error?.code == .httpTooManyRedirects)
    }

    @Test func aRedirectAwayIsUnmatchedAndNeverLeaves() async {
        let barricade = Self.redirecting(to: "https://evil.example/x")
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(
            error?.localizedDescription
                == "the barricade has no response for GET https://evil.example/x; register a response set that matches it"
        )
    }

    @Test func aRedirectToAFileIsNoAddress() async {
        let barricade = Self.redirecting(to: "file:///etc/passwd")
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(error?.code == .unsupportedURL)
        #expect(error?.localizedDescription == "a redirect leads to GET file:///etc/passwd, which is no http or https")
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func aPostIsRepeatedOnlyWhereTheStatusSaysSo(statusCode: Int, method: String) async throws {
        let barricade = Self.redirecting(statusCode, to: "/new")
        barricade.stub(
            "new", where: RequestMatch(path: "/new"),
            with: Response("echo") { request, _ in
                .reply(.init(text: request.httpMethod ?? ""))
            })
        var request = URLRequest(url: Self.url)
        request.httpMethod = "POST"
        #expect(try await URLSession(configuration: barricade.configuration).answer(request).text == method)
    }

    // MARK: Errors with explanations

    @Test func aDynamicResponseSeesTheRequest() async throws {
        let barricade = BarricadeServer.stub(
            Response("page") { request, components in
                let page = components?.queryItems?.first { $0.name == "page" }?.value ?? "1"
                return .reply(
                    .init(headers: ["X-Method": request.httpMethod ?? ""], text: "page \(page) of \(components?.path ?? "")"))
            })
        let answer = try await barricade.get(URL(string: "http://any.example/list?page=7") ?? Self.url)
        #expect(answer.text == "page 7 of /list")
        #expect(answer.head.value(forHTTPHeaderField: "X-Method") == "GET")
    }

    @Test func aFileIsReadAnewForEachRequest() async throws {
        let folder = try TestFolder()
        let path = try folder.write("one", to: "body.json")
        let barricade = BarricadeServer.stub(Response("file", file: URL(filePath: path)))
        let first = try await barricade.get(Self.url)
        #expect(first.text == "one")
        #expect(first.head.value(forHTTPHeaderField: "Content-Type") == "application/json")
        try folder.write("two", to: "body.json")
        #expect(try await barricade.get(Self.url).text == "two")
    }

    @Test func aFileThatIsNotThereSaysSo() async throws {
        let barricade = BarricadeServer.stub(Response("file", file: URL(filePath: "/nowhere/body.json")))
        let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
        #expect(
            error?.localizedDescription == #"the response "file" can't read its file /nowhere/body.json: there is no such file"#)
    }

    @Test("A scenario reads files only from inside its folder")
    func scenarioFilesStayInFolder() async throws {
        let folder = try TestFolder()
        try folder.write("secret", to: "secret.txt")
        try folder.write("inside", to: "story/bodies/a.txt")
        let link = folder.path("story/link.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("secret.txt"))
        let json = #"""
            {"requests": {"all": {"responses": {
              "inside": {"file": "bodies/a.txt"}, "link": {"file": "link.txt"}, "missing": {"file": "b.txt"},
              "huge": {"file": "huge.bin"}
            }}}}
            """#
        let story = folder.url.appendingPathComponent("story")
        let barricade = BarricadeServer()
        barricade.register(try ScenarioFile(json: Data(json.utf8)), folder: story)
        let answer = try await barricade.get(Self.url)
        #expect(answer.text == "inside")
        #expect(answer.head.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")

        try folder.write("", to: "story/huge.bin")
        #expect(truncate(folder.path("story/huge.bin"), (64 << 20) + 1) == 0)
        for (name, why) in [
            ("link", "it leads out of the scenario's folder"), ("missing", "there is no such file"),
            ("huge", "it is larger than 64 MiB; bodyBytes makes a body of any size"),
        ] {
            try barricade.select(name, for: "all")
            let error = await #expect(throws: URLError.self) { try await barricade.get(Self.url) }
            #expect(error?.localizedDescription.hasSuffix(why) == true)
        }
    }
}
