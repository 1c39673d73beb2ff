import Bellerophon
import BellerophonStore
import Foundation
import StatusModel
import TestSupport
import Testing

@Suite("Publishing statuses", .onEveryEngine)
struct PublishingTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    private let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#

    @Test func aStoreBeginsLive() async throws {
        let status = try #require(try test.store.status(.main))
        #expect(try test.document() == live)
        #expect(status.serial == 0)
        #expect(status.publishedAt == nil)
        #expect(!status.isBlocking)
        #expect(status.eventID.hasPrefix("0-"))
        #expect(try test.store.status(Scope(app: "notes")) == nil)
        #expect(try test.store.journal().isEmpty)
    }

    @Test("A kill is recorded in the journal and served as a document")
    func killIsStoredAndDocumented() async throws {
        let kill = Publication(action: .kill, message: "Back at noon.", endsAfter: .seconds(7200), reason: "disk swap")
        let entry = try await test.store.publish(kill, by: "ada@host")
        #expect(entry.id == 1)
        #expect(entry.who == "ada@host")
        #expect(entry.action == "kill")
        #expect(entry.scope == .main)
        #expect(entry.reason == "disk swap")
        #expect(entry.at == test.clock.now)
        #expect(entry.endsAt == test.clock.now.addingTimeInterval(7200))
        let reopened = try test.reopened()
        #expect(try reopened.journal() == [entry])
        let status = try #require(try reopened.status(.main))
        #expect(
            String(decoding: status.body, as: UTF8.self)
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon.","#
                + #""backAt":"\#(PlanTime.text(test.clock.now.addingTimeInterval(7201)))"}"#)
        #expect(status.isBlocking)
        #expect(status.serial == 1)
        #expect(status.publishedAt == test.clock.now)
        #expect(status.entry == entry)
        #expect(status.etag.wholeMatch(of: /"1-[0-9a-f]{32}"/) != nil)
        #expect(status.eventID == String(status.etag.dropFirst().prefix(10)))
    }

    @Test("A message in several languages is served and stays in the rows of rules; older clients read the default one")
    func messages() async throws {
        let message = kill("Back at noon.", ["fr": "De retour à midi.", "de": " Ab Mittag wieder da.\n"])
        let base =
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon.","#
            + #""userMessages":{"de":"Ab Mittag wieder da.","fr":"De retour à midi."}"#
        #expect(try await test.store.publish(message, by: "ada").document == base + "}")
        let read = try StatusDocument(json: Data((base + "}").utf8))
        #expect(read.remarks.isEmpty && read.message == "Back at noon.")
        let rules = RulesEdit(put: [#"{"id":"n","effect":"notice","message":"Later."}"#])
        _ = try await test.store.publish(Publication(scope: .main, rules: rules), by: "ada")
        #expect(try test.document()?.hasPrefix(base + #","rules":["#) == true)
        let reopened = try test.reopened()
        #expect(try reopened.status(.main).map { String(decoding: $0.body, as: UTF8.self) } == test.document())
        _ = try await test.store.publish(Publication(action: .restore), by: "ada")
        #expect(try test.document()?.contains("userMessages") == false)
    }

    @Test("A translation that clients would ignore or cut is refused with its name")
    func translations() async throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<17).map { ("x\($0)", "m") })
        let long = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, String(repeating: "x", count: 4096)) })
        for (publication, message) in [
            (kill("Back at noon.", ["d e": "m"]), #"messages: "d e" is no language tag"#),
            (kill("Back at noon.", ["pt-BR": "m", "PT-br": "m"]), "messages has the language pt-BR twice"),
            (kill("Back at noon.", ["de": " \n"]), "messages.de has no text"),
            (
                kill("Back at noon.", ["de": String(repeating: "x", count: 4097)]),
                "messages.de has 4097 bytes of UTF-8; at most 4096 are possible"
            ),
            (
                kill("Back at noon.", ["de": String(repeating: "x\n", count: 40) + "x"]),
                "messages.de has 41 lines; at most 40 are possible"
            ),
            (kill("m", many), "messages has 17 languages; at most 16 are possible"),
            (
                kill(nil, ["de": "m"]),
                "messages has no default: people with other languages, and older clients, would see no message"
            ),
            (
                kill("m", long),
                "the message and its translations make a document of 16506 bytes; at most 16384 are possible"
            ),
        ] {
            let error = await storeError { try await test.store.publish(publication, by: "ada") }
            #expect(error?.kind == .invalid && error?.message == message, "\(error?.message ?? "")")
        }
        let rule = #"{"id":"n","effect":"notice","only":{"is":{"os":["linux"]}},"message":"m","messages":{"de":""}}"#
        let edit = Publication(scope: .main, rules: RulesEdit(put: [rule]))
        #expect(await storeError { try await test.store.publish(edit, by: "ada") }?.message == "messages.de has no text")
        #expect(try test.store.journal().isEmpty)
    }

    @Test(arguments: [
        (Publication(action: .restore), #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#),
        (
            Publication(action: .kill, message: " \n "),
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":null}"#
        ),
        (
            Publication(action: .kill, message: "a \"b\" \\ /\n\u{1}é\u{2028}😀", retryInterval: 1.5),
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":1.5,"userMessage":"a \"b\" \\ /\n␁é\n😀"}"#
        ),
        (
            Publication(
                action: .update, message: "Too old.", retryInterval: 86_400, requiredVersion: "1.5.2",
                updateURL: "https://a.example/get"),
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":86400,"userMessage":"Too old.","requiredVersion":"1.5.2","updateURL":"https://a.example/get"}"#
        ),
    ])
    func theDocumentIsExactAndTheClientReadsIt(publication: Publication, document: String) async throws {
        let preview = try test.store.preview(publication)
        #expect(String(decoding: preview.body, as: UTF8.self) == document)
        let read = try StatusDocument(json: preview.body)
        #expect(read.isInactive == (publication.action == .kill))
        #expect(read.requiresUpdate == (publication.action == .update))
        #expect(read.requiredVersion == publication.facts[.requiredVersion])
        #expect(read.remarks.isEmpty)
        #expect(try test.store.journal().isEmpty)
    }

    @Test func aReasonCanNotForgeALine() async throws {
        let entry = try await test.store.publish(
            Publication(action: .kill, reason: "a\nb\u{0}\u{1B}[2J"), by: "eve\u{1B}[1m\nroot")
        #expect(entry.reason == "a b␀␛[2J")
        #expect(entry.who == "eve␛[1m root")
    }

    @Test("Every optional field of a request is in the document") func everyFieldIsPublished() async throws {
        let publication = Publication(scope: .main, action: .update, facts: .samples)
        #expect(try Publication(json: publication.json, scope: .main) == publication)
        #expect(try await StatusDocument(json: StoreUnderTest().store.preview(publication).body).facts == .samples)
    }

    // MARK: The effective status

    @Test func aKillOfAnAppStopsEveryChannel() async throws {
        let beta = try Scope(app: "notes", channel: "beta"), nightly = try Scope(app: "notes", channel: "nightly")
        let restore = try await test.store.publish(Publication(scope: beta, action: .restore, retryInterval: 9), by: "ada")
        let kill = try await test.store.publish(Publication(scope: beta.wholeApp, action: .kill, message: "all"), by: "ada")
        let snapshot = try test.store.snapshot()
        for scope in [beta, nightly, beta.wholeApp] {
            let status = try #require(snapshot.status(for: scope))
            #expect(status.scope == scope)
            #expect(status.entry == kill)
            #expect(status.isBlocking)
            #expect(status.serial == 2)
        }
        #expect(snapshot.status(for: .main)?.isBlocking == false)
        #expect(Set(snapshot.statuses.keys) == [.main, beta, beta.wholeApp])
        #expect(try test.store.journal() == [kill, restore])
    }

    @Test("A channel shows a kill of its own or of its app before an update of its own, and that before an update of its app")
    func strictestStatusOfChannelIsShown() async throws {
        let beta = try Scope(app: "notes", channel: "beta")
        func publish(_ scope: Scope, _ action: StatusAction) async throws -> JournalEntry {
            let version = action == .update ? "2" : nil
            return try await test.store.publish(Publication(scope: scope, action: action, requiredVersion: version), by: "ada")
        }
        _ = try await publish(beta.wholeApp, .update)
        let update = try await publish(beta, .update)
        #expect(try test.store.status(beta)?.entry == update)
        let app = try await publish(beta.wholeApp, .kill)
        #expect(try test.store.status(beta)?.entry == app, "who stops an app stops all of it")
        #expect(try test.store.status(beta)?.serial == app.id)
        let own = try await publish(beta, .kill)
        #expect(try test.store.status(beta)?.entry == own)
        test.clock.advance(by: 10)
        let restore = try await publish(beta, .restore)
        let status = try #require(try test.store.status(beta))
        #expect(status.entry == app)
        #expect(status.isBlocking)
        // The stream needs a new serial, and the dashboard the time of the change.
        #expect(status.serial == restore.id)
        #expect(status.publishedAt == restore.at)
        let last = try await publish(beta.wholeApp, .restore)
        #expect(try test.store.status(beta)?.serial == last.id, "a number that has counted once never goes back")
        #expect(try test.store.status(beta)?.isBlocking == false)
    }

    @Test func anAppExistsOnceSomethingWasPublishedForIt() async throws {
        let notes = try Scope(app: "notes")
        _ = try await test.store.publish(Publication(scope: notes, action: .restore), by: "ada")
        #expect(try test.document(notes) == live)
        #expect(try test.document(Scope(app: "notes", channel: "any")) == live)
        #expect(try test.document(Scope(app: "other")) == nil)
    }

    // MARK: Order

    @Test("A status published after the clock was set back is dated after the earlier ones")
    func backwardClockKeepsDateOrder() async throws {
        let beta = try Scope(app: "notes", channel: "beta")
        let first = try await test.store.publish(Publication(action: .restore), by: "ada")
        let second = try await test.store.publish(Publication(scope: beta, action: .kill), by: "ada")
        test.clock.advance(by: -3600)
        let third = try await test.reopened().publish(Publication(action: .kill, endsAfter: .seconds(7200)), by: "ada")
        let dates = try [first, second, third].map { Self.milliseconds(try #require($0.published)) }
        #expect(dates.map { $0 - dates[0] } == [0, 1, 2])
        #expect(third.at == test.clock.now, "the row itself has the clock's time")
        #expect(third.datedAhead > 3599 && first.datedAhead == 0)
        #expect(third.endsAt.map(Self.milliseconds) == Self.milliseconds(test.clock.now + 7200), "its end goes by the clock")
        test.clock.advance(by: 7200)
        try test.catchUp()
        let ended = try #require(try await test.store.writeDue().first)
        #expect(ended.at == test.clock.now)
        #expect(try #require(ended.published) > #require(third.published))
        test.clock.advance(by: 7200)
        let last = try await test.store.publish(Publication(action: .kill), by: "ada")
        #expect(last.published == test.clock.now)
    }

    private static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded()) }

    @Test func theSameDocumentPublishedAnewHasAnotherTag() async throws {
        _ = try await test.store.publish(Publication(action: .kill), by: "ada")
        let first = try #require(try test.store.status(.main))
        _ = try await test.store.publish(Publication(action: .kill), by: "ada")
        let second = try #require(try test.store.status(.main))
        #expect(first.body == second.body)
        #expect(first.etag != second.etag)
    }

    // MARK: The journal

    @Test func aPageOfTheJournalHasAtMostAThousandRows() {
        #expect([0, 1, 1000, 5000].map { JournalFilter(limit: $0).limit } == [1, 1, 1000, 1000])
    }

    @Test func aRowSurvivesJSON() async throws {
        let entry = try await test.store.publish(Publication(action: .kill, message: "a/b", endsAfter: .seconds(5)), by: "ada")
        let json = try StoreJSON.data(entry)
        #expect(try StoreJSON.value(JournalEntry.self, from: json) == entry)
        #expect(String(decoding: json, as: UTF8.self).contains(#""at":"2025-11-25T06:00:00.123Z""#))
    }

    @Test func aCommitOfAnotherProcessIsSeen() async throws {
        let other = try test.reopened()
        let before = try test.store.dataVersion()
        #expect(try test.store.dataVersion() == before)
        _ = try await other.publish(Publication(action: .kill), by: "eve")
        try test.catchUp()
        let after = try test.store.dataVersion()
        #expect(after != before)
        #expect(try test.store.status(.main)?.isBlocking == true)
        _ = try await test.store.publish(Publication(action: .restore), by: "ada")
        #expect(try test.store.dataVersion() != after)
    }

    @Test func manyWritersLoseNothing() async throws {
        let others = [test.store, try test.reopened(), try test.reopened()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    _ = try await others[number % 3].publish(Publication(action: .kill, reason: "\(number)"), by: "ada")
                }
            }
            try await group.waitForAll()
        }
        try test.catchUp()
        #expect(Set(try test.store.journal().compactMap(\.reason)) == Set((0..<60).map(String.init)))
    }
}

/// A kill with a message in several languages.
private func kill(_ message: String?, _ messages: [String: String]) -> Publication {
    var kill = Publication(action: .kill, message: message)
    kill.messages = messages
    return kill
}

/// What is published, without a store.
struct PublicationTests {
    @Test(arguments: ["", "Notes", "-a", ".a", "a/b", "a b", String(repeating: "a", count: 65), "é", "a\u{0}"])
    func aNameOutsideTheRuleIsNoScope(name: String) {
        #expect(throws: StoreError.self) { try Scope(app: name) }
        #expect(throws: StoreError.self) { try Scope(channel: name) }
    }

    @Test(
        "An update requires a version that clients can compare",
        arguments: ["1.5.x", "latest", "1,5", "1.5.2 ", " 1.5.2", "1.5.2.3.4"])
    func requiredVersion(version: String) async {
        let update = Publication(action: .update, requiredVersion: version, updateURL: "https://a.example")
        let error = await storeError { try update.validate() }
        #expect(error?.kind == .invalid && error?.message.contains("\"\(version)\"") == true, "\(error?.message ?? "")")
    }

    @Test func aScopeKnowsItsPaths() throws {
        #expect(Scope.main.statusPath == "/status")
        #expect(try Scope(app: "notes").eventsPath == "/v1/apps/notes/events")
        #expect(try Scope(app: "default", channel: "beta").statusPath == "/v1/apps/default/channels/beta/status")
    }

    @Test func aRequestIsReadAsItIsWritten() throws {
        let update = Publication(
            scope: try Scope(app: "notes"), action: .update, message: "m", retryInterval: 30, requiredVersion: "2",
            updateURL: "https://a.example/", endsAfter: .milliseconds(1500), reason: "why"
        )
        #expect(try Publication(json: update.json, scope: update.scope) == update)
        let message = kill("Back at noon.", ["de": "Ab Mittag wieder da.", "pt-BR": "Voltamos ao meio-dia."])
        #expect(try Publication(json: message.json, scope: .main) == message)
        #expect(String(decoding: Publication(action: .restore).json, as: UTF8.self) == #"{"action":"restore"}"#)
    }

    @Test(arguments: [
        (
            Publication(action: .kill, message: String(repeating: "x", count: 4097)),
            "message has 4097 bytes of UTF-8; at most 4096 are possible"
        ),
        (
            Publication(action: .kill, message: String(repeating: "é", count: 2049)),
            "message has 4098 bytes of UTF-8; at most 4096 are possible"
        ),
        (
            Publication(action: .kill, message: String(repeating: "x\r\n", count: 41)),
            "message has 41 lines; at most 40 are possible"
        ),
        (Publication(action: .kill, retryInterval: 0.5), "retryInterval must be 1 to 86400 seconds, found 0.5"),
        (Publication(action: .kill, retryInterval: .nan), "retryInterval must be 1 to 86400 seconds, found nan"),
        (Publication(action: .kill, retryInterval: .infinity), "retryInterval must be 1 to 86400 seconds, found inf"),
        (Publication(action: .kill, endsAfter: .milliseconds(999)), "endsAfter must be 1 second to 366 days, found 0 s"),
        (
            Publication(action: .kill, endsAfter: .seconds(366 * 86_400 + 1)),
            "endsAfter must be 1 second to 366 days, found 31622401 s"
        ),
        (Publication(action: .restore, endsAfter: .seconds(5)), "a restore has no end"),
        (
            Publication(action: .update, message: "Soon."),
            "an update needs requiredVersion or updateURL: without them nobody can do what it demands"
        ),
        (Publication(action: .kill, requiredVersion: "2"), "requiredVersion and updateURL belong to an update, not to a kill"),
        (
            Publication(action: .update, requiredVersion: String(repeating: "1", count: 65)),
            "requiredVersion has 65 bytes of UTF-8; at most 64 are possible"
        ),
        (Publication(action: .update, updateURL: "javascript:alert(1)"), "updateURL is not an http or https address"),
        (Publication(action: .update, updateURL: "https://apple.com@example.net/"), "updateURL is not an http or https address"),
        (
            Publication(action: .kill, reason: String(repeating: "x", count: 1001)),
            "reason has 1001 bytes of UTF-8; at most 1000 are possible"
        ),
    ])
    func whatAClientWouldNotShowIsRefused(publication: Publication, message: String) async {
        let error = await storeError { try publication.validate() }
        #expect(error?.kind == .invalid && error?.message == message, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        (#"{"action":"kill","massage":"m"}"#, "the field \"massage\" is not known"),
        (#"{"action":"stop"}"#, "action must be \"kill\", \"update\", \"restore\" or \"rules\""),
        (#"{"message":"m"}"#, "action must be \"kill\", \"update\", \"restore\" or \"rules\""),
        (#"{"action":"kill","message":5}"#, "message must be text, found a number"),
        (#"{"action":"kill","messages":"m"}"#, "messages must be texts by language tag, found text"),
        (#"{"action":"kill","messages":{"de":5}}"#, "messages.de must be text, found a number"),
        (#"{"action":"rules","messages":{"de":"m"}}"#, "the rules are missing"),
        (#"{"action":"kill","retryInterval":"5"}"#, "retryInterval must be a number, found text"),
        (#"{"action":"kill","endsAfter":1e300}"#, "endsAfter must be a number of seconds, found 1e+300"),
        (#"[1]"#, "the body must be a JSON object, found an array"),
        (#"{"action":"kill","action":"restore"}"#, "the field \"action\" is given twice"),
        (#"{"action":"kill","message":"a","m\u0065ssage":null}"#, "the field \"message\" is given twice"),
        ("kill", "the body is not JSON"),
        ("", "the body is not JSON"),
    ])
    func aRequestThatIsWrongIsRefusedByName(body: String, message: String) async {
        let error = await storeError { try Publication(json: Data(body.utf8), scope: .main) }
        #expect(error?.message == message)
    }
}
