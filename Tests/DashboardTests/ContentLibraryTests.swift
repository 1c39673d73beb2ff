import Barricade
import Bellerophon
import CloudBox
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import ScenarioKit

/// Content over the air, from the simulated server through the library to the dashboard.
@MainActor @Suite struct ContentLibraryTests {
    /// Collects what the library reports.
    @MainActor final class Listener {
        var content = DashboardContent()
        var rows: [ResourceRow] = []
        var scenarios = ScenarioFile()
        var updated: [String] = []
        var problems: [String] = []
        var notices: [String] = []

        func follow(_ library: ContentLibrary) {
            library.start { [self] in
                scenarios = $0
            } send: { [self] in
                record($0)
            }
        }

        private func record(_ message: DashboardMessage) {
            switch message {
            case .content(let content): self.content = content
            case .resources(let rows): self.rows = rows
            case .contentChanged(let text): updated.append(text)
            case .problem(let text): problems.append(text)
            case .notice(let text): notices.append(text)
            default: Issue.record("\(message)")
            }
        }

        func row(_ name: String) -> ResourceRow? { rows.first { $0.name == name } }
    }

    private let simulation = Simulation()
    private let listener = Listener()

    private func library() -> ContentLibrary {
        simulation.barricade.skipsDelays = true
        let library = ContentLibrary(simulation.content(), hasScenarios: true, forgets: true)
        listener.follow(library)
        return library
    }

    /// Yields the main actor until a condition holds.
    private func wait(until holds: @MainActor () -> Bool) async throws {
        do {
            try await eventually("awaited state") { holds() ? () : nil }
        } catch let error as TestError {
            throw TestError(error.subject, detail: "\(listener.rows) \(listener.problems)", at: error.place)
        }
    }

    @Test("Bundled content is available at once")
    func bundledContentIsAvailable() async throws {
        let library = library()
        defer { library.stop() }
        #expect(listener.content.title == "Bellerophon")
        #expect(listener.rows.map(\.name) == ShippedContent.files.map(\.name))
        #expect(listener.rows.allSatisfy { $0.version == "1" && $0.origin == .bundled })
        // The first frame does not show this; it follows.
        try await wait { listener.scenarios.request("status")?.responses.isEmpty == false }
        try await wait { listener.rows.allSatisfy { $0.digest != nil } }
    }

    @Test("A content file above its size limit is refused and the problem is shown")
    func oversizedContentIsRefused() async throws {
        let folder = try TestFolder()
        let server = try HostileServer()
        let origin = server.url("/").absoluteString
        server.answer { request in
            request.path.contains("Meta")
                ? .json(#"{"v":2,"url":"\#(origin)file"}"#) : .oversized(bytes: 50_000_000, announced: false)
        }
        let configuration = CloudBoxConfiguration(folder: folder.url, servers: [server.url("/")])
        let library = ContentLibrary(configuration, hasScenarios: true, forgets: true)
        listener.follow(library)
        defer { library.stop() }
        for (name, limit) in [("help.txt", 65_536), ("dashboard.json", 65_536), ("status.json", 1_048_576)] {
            library.sync(name, isAsked: true)
            let reason = "larger than this program's limit of \(limit) bytes for this resource; publish a smaller version"
            try await wait { listener.row(name)?.activity == .problem("kept; \(reason)") }
            try await wait { listener.problems.last == "\(name): \(reason)" }
            #expect(listener.row(name)?.origin == .bundled)
        }
    }

    @Test func newContentIsTakenOverWithoutARestart() async throws {
        let library = library()
        defer { library.stop() }
        try simulation.select("new content")
        library.sync()
        try await wait { listener.updated.count == 3 }
        #expect(listener.content.title == "Catalogue, autumn edition")
        #expect(listener.content.links.map(\.title) == ["What is new"])
        #expect(listener.content.help.hasPrefix("This text has come over the air"))
        #expect(listener.scenarios.request("status")?.responses.map(\.name).contains("stopped over the air") == true)
        #expect(listener.row("help.txt")?.origin == .fresh)
        #expect(listener.row("help.txt")?.version == "2")
        #expect(listener.row("security-stop.json")?.origin == .bundled)
    }

    @Test func aDamagedFileChangesNothingAndSaysSo() async throws {
        let library = library()
        defer { library.stop() }
        let before = listener.content
        try simulation.select("damaged content")
        library.sync()
        try await wait { listener.row("help.txt")?.hasProblem == true }
        #expect(listener.row("help.txt")?.activity == .problem("kept; damaged on its way"))
        #expect(listener.row("help.txt")?.version == "1")
        #expect(listener.content == before)
        try await wait { listener.problems.count == 1 }
        #expect(listener.problems[0].hasPrefix("help.txt: "))
        try await wait { listener.rows.filter(\.hasProblem).count == 1 && listener.row("status.json")?.activity == .idle }
    }

    @Test func goingBackIsANewVersion() async throws {
        let library = library()
        defer { library.stop() }
        try simulation.select("new content")
        library.sync("help.txt")
        try await wait { listener.row("help.txt")?.version == "2" }
        try simulation.select("content as shipped")
        library.sync("help.txt")
        try await wait { listener.row("help.txt")?.version == "3" && listener.updated.count == 2 }
        #expect(listener.content.help.hasPrefix("The dashboard watches one status document."))
    }

    /// Most servers publish only some of the resources, which is not a problem.
    @Test("Content that no server has published is not reported as a problem")
    func unpublishedContentIsNoProblem() async throws {
        simulation.barricade.stub("content", with: Response("none", statusCode: 404))
        let library = library()
        defer { library.stop() }
        library.sync("help.txt", isAsked: true)
        try await wait { listener.notices == ["help.txt: not published; the present version stays"] }
        #expect(
            listener.row("help.txt")
                == ResourceRow(
                    name: "help.txt", version: "1", origin: .bundled, size: listener.row("help.txt")?.size,
                    digest: listener.row("help.txt")?.digest))
        #expect(listener.problems.isEmpty)
    }

    @Test func aPersonIsToldThatThereIsNoServer() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bellerophon-test-\(UUID().uuidString)")
        let library = ContentLibrary(CloudBoxConfiguration(folder: folder), hasScenarios: false)
        listener.follow(library)
        defer { library.stop() }
        library.sync()
        #expect(listener.notices.isEmpty)
        library.sync(isAsked: true)
        #expect(listener.notices == ["no content server is configured; give one with --content-server"])
        #expect(listener.rows.map(\.name) == ["dashboard.json", "help.txt"])
    }

    // MARK: Notices of a server

    /// A library with a server whose meta documents are selected by request number, counted from one.
    private func library(metas: @escaping @Sendable (Int) -> String) throws -> (ContentLibrary, HostileServer, TestFolder) {
        let server = try HostileServer()
        let asked = Watched(0)
        server.answer { request in
            guard request.path.hasSuffix("Meta/help.txt") else {
                return request.path == "/file" ? .answer(Answer(text: "news")) : .failure(404)
            }
            return .json(
                metas(
                    asked.update {
                        $0 += 1; return $0
                    }))
        }
        let folder = try TestFolder()
        let configuration = CloudBoxConfiguration(folder: folder.url, servers: [server.url("/")])
        let library = ContentLibrary(configuration, hasScenarios: false)
        listener.follow(library)
        return (library, server, folder)
    }

    @Test("A version announced during a sync is fetched afterwards")
    func noticeDuringSyncIsNotMissed() async throws {
        // The first reply is older than the publication.
        let (library, server, folder) = try library { #"{"v":\#($0),"url":"/file"}"# }
        defer { library.stop() }
        library.sync("help.txt")
        library.follow(ResourceNotice(name: "help.txt", version: 2))
        try await wait { listener.content.help == "news" }
        #expect(
            server.requests.map(\.path) == ["/GBCloudBoxResourcesMeta/help.txt", "/GBCloudBoxResourcesMeta/help.txt", "/file"])
        withExtendedLifetime(folder) {}
    }

    @Test func manyWordsOfAServerLeadToFewSyncs() async throws {
        let (library, server, folder) = try library { _ in #"{"v":1,"url":"/file"}"# }
        defer { library.stop() }
        // Installed versions and unknown resources are not requested.
        library.follow(ResourceNotice(name: "help.txt", version: 1))
        library.follow(ResourceNotice(name: "other.txt", version: 9))
        #expect(library.syncs.isEmpty)
        for version in 2...200 { library.follow(ResourceNotice(name: "help.txt", version: Int64(version))) }
        _ = try await server.exchange(number: 2)
        try await wait { listener.row("help.txt")?.activity == .idle }
        #expect(server.requests.count == 2)
        withExtendedLifetime(folder) {}
    }

    @Test("A version that was announced but not served causes one more sync")
    func missingVersionSyncsOnceMore() {
        var sync = ContentSync()
        let start = ContinuousClock.now
        sync.recordAnnouncement(of: 5)
        let pauses = [start, start + .milliseconds(400), start + .seconds(9)].map { sync.pause(at: $0) }
        #expect(pauses == [.zero, .milliseconds(600), .zero])
        let repeats = [sync.end(at: 4), sync.end(at: 4)]
        #expect(repeats == [true, false])
        sync.recordAnnouncement(of: 6)
        sync.recordAnnouncement(of: 3)
        #expect(sync.noticed == 6)
        sync.isWantedAgain = true
        let asked = [sync.end(at: 6), sync.end(at: 6)]
        #expect(asked == [true, false], "who asks while one runs may want what came after its question")
        let more = [sync.end(at: 5), sync.end(at: 6)]
        #expect(more == [true, false])
    }

    @Test func aStreamThatComesBackAsksForAll() async throws {
        let (library, server, folder) = try library { _ in #"{"v":2,"url":"/file"}"# }
        defer { library.stop() }
        library.streamOpened()
        #expect(listener.row("help.txt")?.version == "1")
        library.streamOpened()
        try await wait { listener.row("help.txt")?.version == "2" }
        #expect(server.requests.map(\.path).contains("/GBCloudBoxResourcesMeta/dashboard.json"))
        withExtendedLifetime(folder) {}
    }
}
