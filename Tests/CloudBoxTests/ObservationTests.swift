import Foundation
import TestSupport
import Testing

@testable import CloudBox

@Suite("An update")
struct ObservationTests {
    private struct Texts: Codable, Equatable { var title: String }

    @Test("An update is reported to main actor handlers, streams and notification observers")
    func updateIsObserved() async throws {
        let server = try ResourceServer(["a": .init(version: 4, "new")])
        let it = try Box([server.url], registering: "a", bundled: .embedded(["a": .init(version: 1, text: "old")]))
        let handled = Watched<[String]>([])
        try it.box.addPostUpdateHandler(for: "a") { update in
            MainActor.assertIsolated()
            handled.update { $0.append("\(update.name) \(update.version) \(update.data.count)") }
        }
        let posted = Watched<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .kGBCloudBoxResourceUpdatedNotification, object: it.box, queue: nil
        ) { note in
            let facts = note.userInfo ?? [:]
            let data = facts["data"] as? Data ?? Data()
            posted.update { $0.append("\(facts["identifier"] ?? "") \(facts["version"] ?? "") \(data.count)") }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var (first, second) = (it.box.updates.makeAsyncIterator(), it.box.updates.makeAsyncIterator())
        await it.box.sync("a")
        let update = ResourceUpdate(name: "a", version: 4, previousVersion: 1, data: Data("new".utf8))
        #expect(await first.next() == update)
        #expect(await second.next() == update)
        _ = try await handled.wait(for: "handler") { $0 == ["a 4 3"] ? true : nil }
        _ = try await posted.wait(for: "notification") { $0 == ["a 4 3"] ? true : nil }
    }

    @Test("A typed resource creates its object once per version")
    func typedObjectIsMadeOnce() async throws {
        let server = try ResourceServer(["texts.json": .init(version: 2, #"{"title":"new"}"#)])
        let old = Data(#"{"title":"old"}"#.utf8)
        let it = try Box([server.url], bundled: .embedded(["texts.json": .init(version: 1, data: old)]))
        let made = Watched(0)
        let texts = try it.box.register("texts.json") { data in
            made.update { $0 += 1 }
            return try JSONDecoder().decode(Texts.self, from: data)
        }
        #expect(try texts.value() == Texts(title: "old"))
        #expect(try texts.value() == Texts(title: "old"))
        #expect(made.value == 1)
        var values = texts.values.makeAsyncIterator()
        #expect(await texts.sync() == .updated(version: 2, from: 1, received: 15))
        #expect(await values.next() == Texts(title: "new"))
        #expect(try texts.value() == Texts(title: "new"))
        #expect(made.value == 2)
        #expect(throws: CloudBoxError("texts.json", .wrongType(expected: "Int", found: "Texts"))) {
            try it.box.object(for: "texts.json", as: Int.self)
        }
    }

    @Test("A version that the app cannot decode is neither installed nor downloaded again")
    func refusedVersionIsNotInstalled() async throws {
        let server = try ResourceServer(["texts.json": .init(version: 2, "{}")])
        let old = Data(#"{"title":"old"}"#.utf8)
        let it = try Box([server.url], bundled: .embedded(["texts.json": .init(version: 1, data: old)]))
        let texts: Resource<Texts> = try it.box.register("texts.json") { try JSONDecoder().decode(Texts.self, from: $0) }
        let outcome = await texts.sync()
        guard case .refused(2, _)? = outcome.reason else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(try texts.value() == Texts(title: "old"))
        #expect(await texts.sync() == outcome)
        #expect(server.fileRequests.count == 1)
        server["texts.json"] = .init(version: 3, #"{"title":"mended"}"#)
        #expect(await texts.sync() == .updated(version: 3, from: 1, received: 18))
    }

    @Test("A cached version that the app cannot decode is replaced by the bundled one")
    func unreadableCacheUsesBundled() throws {
        let folder = try TestFolder()
        try folder.write("{}", to: "resources/texts.json/9")
        let old = Data(#"{"title":"old"}"#.utf8)
        let it = try Box([], folder: folder, bundled: .embedded(["texts.json": .init(version: 1, data: old)]))
        let texts: Resource<Texts> = try it.box.register("texts.json") { try JSONDecoder().decode(Texts.self, from: $0) }
        #expect(try texts.value() == Texts(title: "old"))
        #expect(try texts.facts().origin == .bundled)
        #expect(try texts.facts().remark?.hasPrefix("version 9 was refused by this program: ") == true)
    }

    @Test("Progress reports each state once and the total size from the first byte on")
    func progressStatesAreReported() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: noise(200_000))])
        let it = try Box([server.url], registering: "a")
        let stream = it.box.progress
        await it.box.sync("a")
        var states: [ResourceProgress.State] = []
        for await progress in stream {
            if states.last != progress.state { states.append(progress.state) }
            if progress.state == .installing { #expect(progress.received == 200_000 && progress.fraction == 1) }
            if progress.state == .receiving { #expect(progress.total == 200_000) }
            if progress.state == .updated { break }
        }
        #expect(states == [.waiting, .asking, .receiving, .installing, .updated])
    }

    @Test func canBeWrittenInTheOriginalsWords() async throws {
        let server = try OriginalServer(["MyResource.js": (v: "4", text: "new")])
        let it = try Box([])
        let updated = Watched<[String]>([])
        try it.box.registerResource("MyResource.js", withSourceServers: [server.url])
        try it.box.registerDeserializer({ String(decoding: $0, as: UTF8.self) }, forResource: "MyResource.js")
        try it.box.registerPostUpdateHandler(
            { identifier, version, data in
                updated.update { $0.append("\(identifier) \(version) \(data.count)") }
            }, forResource: "MyResource.js")
        #expect(try it.box.dataForResource("MyResource.js") == nil)
        try it.box.syncResource("MyResource.js")
        _ = try await updated.wait(for: "update") { $0 == ["MyResource.js 4 3"] ? true : nil }
        #expect(try it.box.dataForResource("MyResource.js") == Data("new".utf8))
        #expect(try it.box.objectForResource("MyResource.js") as? String == "new")
        #expect(throws: CloudBoxError.self) { try it.box.syncResource("unknown") }
    }
}
