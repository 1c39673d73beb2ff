import BellerophonStore
import Foundation
import TestSupport
import Testing

/// The metadata of a request: its author, its idempotency key, and whether it may create the app.
@Suite("Requests to a store", .onEveryEngine)
struct RequestTests {
    private let test: StoreUnderTest

    init() async throws { test = try await StoreUnderTest() }

    @Test("A repeated request publishes once, and another request with its key is refused")
    func repeatedRequestPublishesOnce() async throws {
        let key = try RequestKey("one")
        let kill = Publication(action: .kill, message: "Noon.")
        let first = try await test.store.publish(kill, by: "ada", request: key)
        #expect(try await test.store.publish(kill, by: "ada", request: key) == first)
        #expect(try test.store.journal().count == 1)
        let other = await storeError { try await test.store.publish(Publication(action: .restore), by: "ada", request: key) }
        #expect(other?.kind == .conflict)
        var timed = kill
        timed.endsAfter = .seconds(600)
        #expect(await storeError { try await test.store.publish(timed, by: "ada", request: key) }?.kind == .conflict)
        _ = try await test.store.publish(Publication(action: .restore), by: "ada")
        let long = try RequestKey("long")
        let second = try await test.store.publish(timed, by: "ada", request: long)
        #expect(try await test.store.publish(timed, by: "ada", request: long) == second)
        timed.endsAfter = .seconds(900)
        #expect(await storeError { try await test.store.publish(timed, by: "ada", request: long) }?.kind == .conflict)
        #expect(try await test.store.publish(kill, by: "ada", request: .make()).id == 4)
        for text in ["", "two words", "é", String(repeating: "a", count: 129)] {
            #expect(await storeError { try RequestKey(text) }?.kind == .invalid)
        }
    }

    @Test func aRollbackThatIsSentTwiceGoesBackOnce() async throws {
        for text in ["one", "two", "three"] { try await test.put("a", text) }
        let key = RequestKey.make()
        let first = try await test.store.rollback("a", by: "ada", request: key)
        #expect(first.version == 4 && first.fromVersion == 2)
        #expect(try await test.store.rollback("a", by: "ada", request: key).version == 4)
        #expect(try await test.store.rollback("a", to: 2, by: "ada", request: key).version == 4)
        for (version, reason) in [(1, String?.none), (2, "why")] {
            let error = await storeError {
                try await test.store.rollback("a", to: Int64(version), by: "ada", reason: reason, request: key)
            }
            #expect(error?.kind == .conflict)
        }
        #expect(try test.store.versions(of: "a").count == 4)
        let put = RequestKey.make()
        let made = try await test.store.put("a", "five", version: 9, request: put)
        #expect(made.isNew && made.resource.version == 9)
        #expect(try await test.store.put("a", "five", version: 9, request: put).resource.version == 9)
        #expect(await storeError { try await test.store.rollback("a", by: "ada", request: put) }?.kind == .conflict)
    }

    @Test(
        "An unknown app or channel is refused unless its creation is requested",
        arguments: [
            ("notes", "main", "ntoes", #"an app "ntoes""#, "known are default, notes; "),
            (
                "default", "beta", "default", #""btea" of default"#,
                "known are beta, main; a new channel has to be asked for: --new, "
            ),
            ("notes", "beta", "notes", #""btea" of notes"#, "known are beta, main; a new channel has to be asked for: --new, "),
        ])
    func unknownScopeIsRefused(app: String, channel: String, other: String, name: String, hint: String) async throws {
        let known = try Scope(app: app, channel: channel)
        let kill = Publication(scope: try Scope(app: other, channel: "btea"), action: .kill)
        _ = try await test.store.publish(Publication(scope: known, action: .restore), by: "ada")
        let error = await storeError { try await test.store.publish(kill, by: "ada", createsApp: false) }
        #expect(error?.kind == .notFound && error?.message.contains(name) == true, "\(error?.message ?? "")")
        #expect(error?.hint?.hasPrefix(hint) == true, "\(error?.hint ?? "")")
        #expect(await storeError { try test.store.preview(kill, createsApp: false) }?.kind == .notFound)
        #expect(await storeError { try await test.store.propose(kill, by: "ada", createsApp: false) }?.kind == .notFound)
        #expect(try test.store.journal().count == 1)
        // The default app always exists.
        for scope in [.main, known, known.wholeApp] {
            _ = try await test.store.publish(Publication(scope: scope, action: .kill), by: "ada", createsApp: false)
        }
        _ = try await test.store.publish(kill, by: "ada")
        #expect(try await test.store.publish(kill, by: "ada", createsApp: false).id == 6)
    }

    @Test func theJournalSaysWhoItReallyWas() async throws {
        let here = Author.thisProcess(["USER": "eve", "LOGNAME": "eve", "SUDO_USER": "mallory\u{1b}[2J"])
        #expect(here.kind == .local && here.uid == getuid())
        #expect(!here.name.hasPrefix("eve"))
        #expect(here.sudoUser?.contains("\u{1b}") == false)
        let entry = try await test.store.publish(Publication(action: .kill), by: here)
        #expect(entry.author == here && entry.who == here.name)
        let remote = Author.token("ada", address: "192.0.2.1")
        _ = try await test.store.createToken(TokenRequest(name: "ada", scopes: [.publish]), by: here)
        #expect(try await test.store.publish(Publication(action: .restore), by: remote).author == remote)
        #expect(try test.store.journal().map(\.author) == [remote, here, here])
    }
}
