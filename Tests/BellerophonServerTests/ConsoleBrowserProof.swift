import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The console in a real browser, as wide as a phone, by keyboard alone.
@Suite(
    "Console in a browser", .serialized, .enabled(if: Browser.program != nil, "Chromium is not installed"))
struct ConsoleBrowserProof {
    private static let desk = "!document.getElementById('desk').hidden && document.querySelector('[data-scope=\"default/main\"]')"

    /// What the card of an app says.
    private static func card(_ scope: String = "default/main") -> String {
        "document.querySelector('[data-scope=\"\(scope)\"]')?.innerText"
    }

    private static func live(
        _ change: @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ work: @Sendable (LiveServer, _ ada: String) async throws -> Void
    ) async throws {
        try await LiveServer.run({
            $0.hasConsole = true
            change(&$0)
        }) { live in
            let ada = try await live.store.createToken(TokenRequest(name: "ada", scopes: [.publish]), by: "test").token
            _ = try await live.store.publish(Publication(action: .restore, reason: "first publish"), by: "ada")
            try await work(live, ada)
        }
    }

    /// Opens the page, types the token and waits for the apps.
    private static func unlock(_ browser: Browser, _ port: UInt16, _ token: String, width: Int = 390) throws {
        try browser.open("http://127.0.0.1:\(port)/console", width: width)
        try browser.wait("document.activeElement?.id === 'token'")
        try browser.type(token)
        try browser.press("Enter")
        try browser.wait(desk)
    }

    /// Does something in a browser with the unlocked page.
    private static func browse<Result: Sendable>(
        _ live: LiveServer, _ token: String, width: Int = 390, _ work: @escaping @Sendable (Browser) throws -> Result
    ) async throws -> Result {
        try await onOwnThread {
            let browser = try Browser()
            try unlock(browser, live.port, token, width: width)
            return try work(browser)
        }
    }

    private static func expectNoOverflow(_ browser: Browser, _ place: SourceLocation = #_sourceLocation) throws {
        let widths = try browser.text(
            "`${document.documentElement.scrollWidth} ${innerWidth} ${dialog.scrollWidth} ${dialog.clientWidth}`")
        let parts = try #require(widths?.split(separator: " ").compactMap { Int($0) }, sourceLocation: place)
        #expect(parts[0] <= parts[1] && parts[2] <= parts[3], "\(parts)", sourceLocation: place)
    }

    @Test func aKillAndARestoreByKeyboardAlone() async throws {
        try await Self.live { live, token in
            let problems = try await Self.browse(live, token) { browser in
                try Self.expectNoOverflow(browser)
                #expect(try browser.text(Self.card())?.contains("LIVE") == true)

                try browser.choose("Kill default/main")
                try browser.wait("document.querySelector('dialog[open] form')")
                #expect(try browser.focused() == "Message")
                try browser.type("Back at noon.")
                try browser.choose("Add a language")
                try browser.type("de")
                try browser.press("Tab")
                try browser.type("Mittags zurück.")
                try browser.tab(to: "Reason")
                try browser.type("disk swap")
                try Self.expectNoOverflow(browser)
                try browser.press("Enter")
                try browser.wait("document.querySelector('.question')?.textContent === 'Publish this?'")
                #expect(try browser.focused() == "No", "Enter alone publishes nothing")
                let facts = try #require(try browser.text("document.querySelector('.review').innerText"))
                for fact in [
                    "PAUSED", "the app default, every channel", "Back at noon.", "in de", "Mittags zurück.",
                    "until it is restored", "every 15s", "disk swap",
                    "LIVE since", "by ada", #"{"apiInactive":true,"#,
                ] {
                    #expect(facts.contains(fact), "\(facts)")
                }
                try Self.expectNoOverflow(browser)
                try browser.choose("Publish")
                try browser.wait("\(Self.card()).includes('PAUSED')")
                #expect(try browser.text(Self.card())?.contains("disk swap") == true)
                try browser.wait("document.getElementById('toast').innerText.includes('default/main killed')")
                try browser.wait("document.getElementById('rows').innerText.includes('disk swap')")
                #expect(try browser.focused() == "Kill default/main", "the focus returns")
                try Self.expectNoOverflow(browser)
                return browser.problems + (try Self.restore(browser, token))
            }
            #expect(problems == [])
            let rows = try live.store.journal().filter { $0.scope == .main }
            #expect(rows.map(\.action) == ["restore", "kill", "restore"])
            #expect(rows.map(\.reason) == ["disk swapped", "disk swap", "first publish"])
            #expect(rows.map(\.who) == ["ada", "ada", "ada"])
            #expect(rows[1].document?.contains(#""Back at noon.","userMessages":{"de":"Mittags zurück."}"#) == true)
        }
    }

    /// Restores with the keys of the focused app, looks for the token, and locks.
    private static func restore(_ browser: Browser, _ token: String) throws -> [String] {
        try browser.press("r")
        try browser.wait("document.querySelector('dialog[open] form')")
        #expect(try browser.focused() == "Reason")
        try browser.type("disk swapped")
        try browser.press("Enter")
        try browser.wait("\(card()).includes('LIVE')")
        try expectNoOverflow(browser)

        let kept = try browser.text(
            "JSON.stringify([document.cookie, localStorage.length, sessionStorage.length, location.href])")
        #expect(kept?.hasPrefix(#"["",0,0,"#) == true && kept?.contains(token) == false, "\(kept ?? "")")
        #expect(try browser.holds("!document.documentElement.outerHTML.includes('\(token)')"))
        #expect(try browser.holds("[...document.querySelectorAll('input')].every((input) => input.value === '')"))

        try browser.choose("Lock")
        try browser.wait("document.activeElement?.id === 'token' && document.querySelector('.card') === null")
        return browser.problems
    }

    @Test("The journal's columns have room for their texts at every width", arguments: [993, 1050, 1100])
    func journalColumns(width: Int) async throws {
        try await Self.live { live, token in
            _ = try await live.store.publish(
                Publication(action: .kill, endsAfter: .seconds(7200), reason: "the disks of both databases are swapped"),
                by: "ada")
            try await Self.browse(live, token, width: width) { browser in
                try browser.wait("document.querySelector('#rows .why')")
                #expect(try browser.holds("document.querySelector('#rows .why').getBoundingClientRect().width >= 150"))
                try Self.expectNoOverflow(browser)
            }
        }
    }

    @Test("A window is announced with its form, is seen in words and as a table before it is published, and is removed")
    func rules() async throws {
        try await Self.live { live, token in
            let problems = try await Self.browse(live, token) { browser in
                try browser.tab(to: "Kill default/main")
                try browser.press("p")
                try browser.wait("document.querySelector('dialog[open] .table')?.innerText.includes('every version')")
                try Self.expectNoOverflow(browser)
                try browser.choose("Announce a window…")
                try browser.wait("document.querySelector('dialog[open] form')")
                #expect(try browser.focused() == "Begin")
                try browser.type("tomorrow")
                try browser.press("Enter")
                try browser.wait(
                    "document.querySelector('.problem')?.innerText.includes('Length is missing') || document.querySelector('.problem')?.innerText.includes('“tomorrow” is no time')"
                )
                for _ in 0..<8 { try browser.press("Backspace") }
                try browser.type("2099-12-05 22:00")
                try browser.tab(to: "Length")
                try browser.type("90m")
                try browser.tab(to: "Announce before")
                try browser.type("24h")
                try browser.tab(to: "Message")
                try browser.type("We move the disks.")
                try browser.tab(to: "Reason")
                try browser.type("disk swap")
                try Self.expectNoOverflow(browser)
                try browser.press("Enter")
                try browser.wait("document.querySelector('.question')")
                let shown = try #require(try browser.text("dialog.innerText"))
                for text in [
                    "covers every app from 5 December 2099 22:00 UTC", "What people see", "We move the disks.",
                    "2099-12-05 22:00",
                    "disk swap", "Publish this?",
                ] {
                    #expect(shown.contains(text), "\(shown)")
                }
                #expect(try browser.focused() == "No", "Enter alone publishes nothing")
                try Self.expectNoOverflow(browser)
                try browser.choose("Publish")
                try browser.wait("\(Self.card()).includes('mw-2099-12-05t22-00: pause, waits')")
                try browser.choose("Rules of default/main")
                try browser.wait("document.querySelector('dialog[open] .timeline rect')")
                try Self.expectNoOverflow(browser)
                try browser.choose("Remove mw-2099-12-05t22-00")
                try browser.wait("document.querySelector('.question')")
                try browser.choose("Publish")
                try browser.wait("!\(Self.card()).includes('mw-2099')")
                return browser.problems
            }
            #expect(problems == [])
            let rows = try live.store.journal().filter { $0.scope == .main }
            #expect(rows.map(\.plan?.change?.text) == ["-mw-2099-12-05t22-00", "+mw-2099-12-05t22-00", nil])
        }
    }

    @Test("A notice in several languages is written by keyboard, and nothing that was typed is lost on the way")
    func translations() async throws {
        try await Self.live { live, token in
            let problems = try await Self.browse(live, token) { browser in
                try browser.tab(to: "Kill default/main")
                try browser.press("p")
                try browser.wait("document.querySelector('dialog[open] .table')")
                try browser.choose("Notice…")
                try browser.wait("document.querySelector('dialog[open] form')")
                try browser.type("Search is read-only.")
                for (tag, text) in [("de", "Suche ist schreibgeschützt."), ("fr", "Recherche en lecture seule."), ("DE", "")] {
                    try browser.choose("Add a language")
                    #expect(try browser.focused() == "Language")
                    try browser.type(tag)
                    try browser.press("Tab")
                    #expect(try browser.focused() == "Message")
                    try browser.type(text)
                }
                #expect(
                    try browser.text("document.querySelector('.translations > div').getAttribute('aria-label')")
                        == "Message in another language: de")
                try Self.expectNoOverflow(browser)
                try browser.choose("Review…")
                try browser.wait("document.querySelector('.problem')?.innerText.includes('message in DE has no text')")
                #expect(try browser.holds("document.activeElement.matches('textarea[aria-invalid=\"true\"]')"))
                try browser.choose("Remove the message: DE")
                #expect(try browser.holds("document.activeElement.value === 'fr'"), "the focus stays among the languages")
                // The server names the field of its error.
                try browser.value("document.querySelector('.translations textarea').value = 'x'.repeat(4097)")
                try browser.choose("Review…")
                try browser.wait("document.querySelector('.problem')?.innerText.includes('essages.de has 4097 bytes')")
                #expect(try browser.holds("document.activeElement === document.querySelector('.translations textarea')"))
                try browser.value("document.querySelector('.translations textarea').value = 'Suche ist schreibgeschützt.'")
                try browser.choose("Review…")
                try browser.wait("document.querySelector('.question')")
                #expect(try browser.focused() == "No")
                try browser.press("Enter")
                try browser.wait("document.querySelectorAll('.translations > div').length === 2")
                #expect(
                    try browser.text("document.querySelectorAll('.translations textarea')[1].value")
                        == "Recherche en lecture seule.")
                try browser.choose("Review…")
                try browser.wait("document.querySelector('.question')")
                try browser.choose("Publish")
                try browser.wait("\(Self.card()).includes('notice, holds')")
                return browser.problems
            }
            // The server's refusal of the long text is an error in the browser's log.
            #expect(problems.filter { !$0.contains("400") } == [])
            let document = String(decoding: try #require(try live.store.status(.main)).body, as: UTF8.self)
            let messages = #""messages":{"de":"Suche ist schreibgeschützt.","fr":"Recherche en lecture seule."}"#
            #expect(document.contains(messages))
        }
    }

    @Test func noPublishesNothingAndTheTokenIsForgotten() async throws {
        try await Self.live { live, token in
            try await Self.browse(live, token, width: 1400) { browser in
                try Self.expectNoOverflow(browser)
                try browser.tab(to: "Kill default/main")
                try browser.press("k")
                try browser.wait("document.querySelector('dialog[open] form')")
                try browser.type("Back at noon.")
                try browser.tab(to: "End after")
                try browser.type("soon")
                try browser.press("Enter")
                try browser.wait("document.querySelector('.problem')?.innerText.includes('“soon” is no time')")
                for _ in 0..<4 { try browser.press("Backspace") }
                try browser.type("2h")
                try browser.press("Enter")
                try browser.wait("document.querySelector('.question')")
                #expect(try browser.text("document.querySelector('.review').innerText")?.contains("2h, until 2") == true)
                try browser.press("Enter")
                try browser.wait("document.querySelector('.problem')?.innerText === 'Nothing was published.'")
                #expect(try browser.text("document.querySelector('textarea').value") == "Back at noon.")
                try browser.press("Escape")
                try browser.wait("!document.getElementById('dialog').open")

                // The clock of the page goes on by 16 minutes.
                try browser.value("{ const now = Date.now; Date.now = () => now() + 16 * 60000; }")
                try browser.wait("document.getElementById('gate-message').innerText.includes('15 minutes without use')")
                try Self.unlock(browser, live.port, token)
                try browser.call("Page.reload")
                try browser.wait("document.activeElement?.id === 'token' && document.querySelector('.card') === null")
                try browser.type("wrong")
                try browser.press("Enter")
                try browser.wait("document.getElementById('gate-message').innerText.includes('is not known')")
            }
            #expect(try live.store.status(.main)?.isBlocking == false)
            #expect(try live.store.journal().filter { $0.scope == .main }.count == 1)
        }
    }

    @Test func aRequestWhoseReplyIsLostIsCarriedOutOnce() async throws {
        try await Self.live { live, token in
            try await Self.browse(live, token) { browser in
                // The server carries the request out, and its reply does not arrive.
                browser.losesReply = { method, url in method == "PUT" && !url.contains("dryRun") }
                try browser.call("Fetch.enable", ["patterns": [["urlPattern": "*/status*", "requestStage": "Response"]]])
                try browser.choose("Restore default/main")
                try browser.wait("document.querySelector('dialog[open] form')")
                try browser.type("again")
                try browser.press("Enter")
                try browser.wait("document.getElementById('dialog').innerText.includes('Outcome unknown')")
                #expect(try browser.focused() == "Send the same request again")
                try browser.call("Fetch.disable")
                try browser.press("Enter")
                try browser.wait("document.getElementById('toast').innerText.includes('default/main restored')")

                try browser.call(
                    "Network.emulateNetworkConditions",
                    ["offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
                try browser.wait("document.getElementById('notices').innerText.includes('can’t be reached')")
                try browser.wait("/What is shown is \\d+s old/.test(document.getElementById('notices').innerText)")
                try browser.call(
                    "Network.emulateNetworkConditions",
                    ["offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
                try browser.wait("document.getElementById('notices').innerText === ''")
            }
            #expect(try live.store.journal().filter { $0.reason == "again" }.count == 1)
        }
    }

    @Test("A kill that takes two persons is proposed and approved in the console")
    func proposalIsApprovedInConsole() async throws {
        try await Self.live({ $0.approval.apps = ["notes"] }) { live, ada in
            let bob = try await live.store.createToken(TokenRequest(name: "bob", scopes: [.publish]), by: "test").token
            let restore = Publication(scope: try Scope(app: "notes"), action: .restore)
            let first = try await live.store.propose(restore, by: "eve")
            _ = try await live.store.approve(first.id, by: "ada")
            try await Self.browse(live, ada) { browser in
                try browser.wait("\(Self.card("notes/main"))")
                try browser.choose("Kill notes/main")
                try browser.wait("document.querySelector('dialog[open] form')")
                try browser.tab(to: "Reason")
                try browser.type("double booking")
                try browser.press("Enter")
                try browser.wait("document.querySelector('.question')")
                try browser.choose("Publish")
                try browser.wait("document.querySelector('.problem')?.innerText.includes('takes two persons')")
                #expect(try browser.focused() == "Propose it")
                try Self.expectNoOverflow(browser)
                try browser.press("Enter")
                try browser.wait("document.getElementById('proposal-list').innerText.includes('double booking')")
                #expect(try browser.text(Self.card("notes/main"))?.contains("LIVE") == true)

                try Self.unlock(browser, live.port, bob)
                let approve = try #require(
                    try browser.text("document.querySelector('.proposal button').getAttribute('aria-label')"))
                try browser.choose(approve)
                try browser.wait("document.querySelector('.question')")
                #expect(try browser.text("document.querySelector('.review').innerText")?.contains("ada, at 2") == true)
                try browser.choose("Publish")
                try browser.wait("\(Self.card("notes/main")).includes('bob, proposed by ada')")
                try browser.wait("document.getElementById('proposals').hidden")
            }
            #expect(try live.store.status(Scope(app: "notes"))?.entry?.proposedBy == "ada")
        }
    }

    @Test("A restore overtaken by a newer kill shows that kill and asks again")
    func overtakenRestoreIsAskedAgain() async throws {
        try await Self.live { live, ada in
            let bob = try await live.store.createToken(TokenRequest(name: "bob", scopes: [.publish]), by: "test").token
            _ = try await live.store.publish(Publication(action: .kill, message: "m"), by: "ada")
            try await Self.browse(live, ada) { browser in
                try browser.wait("\(Self.card()).includes('PAUSED')")
                try browser.choose("Restore default/main")
                try browser.wait("document.querySelector('dialog[open] form')")
                // Somebody else stops it again while the form is open.
                let client = try WireClient(port: live.port)
                _ = try client.put("/status", #"{"action":"restore"}"#, token: bob)
                _ = try client.put("/status", #"{"action":"kill","reason":"leak"}"#, token: bob)
                try browser.press("Enter")
                try browser.wait(
                    "/published meanwhile: #\\d+ kill by bob/.test(document.querySelector('.problem')?.innerText ?? '')")
                #expect(try browser.text(Self.card())?.contains("leak") == true)
                try Self.expectNoOverflow(browser)
                try browser.press("Enter")
                try browser.wait("\(Self.card()).includes('LIVE')")
            }
            #expect(try live.store.journal().filter { $0.scope == .main }.map(\.who).first == "ada")
        }
    }

    /// The timed kill of a channel that shows its app's status: the row that it follows is read from the journal.
    @Test func aTimedKillOfAChannelIsPublished() async throws {
        try await Self.live { live, ada in
            let beta = try Scope(channel: "beta")
            _ = try await live.store.publish(Publication(scope: beta, action: .restore), by: "ada")
            _ = try await live.store.publish(Publication(action: .restore), by: "ada")
            try await Self.browse(live, ada) { browser in
                try browser.wait("\(Self.card("default/beta"))")
                try browser.choose("Kill default/beta")
                try browser.wait("document.querySelector('dialog[open] form')")
                try browser.tab(to: "End after")
                try browser.type("2h")
                try browser.press("Enter")
                try browser.wait("document.querySelector('.question')")
                try browser.choose("Publish")
                try browser.wait("\(Self.card("default/beta")).includes('PAUSED')")
            }
            #expect(try live.store.status(beta)?.endsAt != nil)
        }
    }

    @Test func itIsNotShownInAFrame() async throws {
        try await Self.live { live, _ in
            let port = live.port
            try await onOwnThread {
                let browser = try Browser()
                try browser.open("http://127.0.0.1:\(port)/alive", width: 800)
                try browser.wait("document.body?.innerText === '777'")
                func isShown(_ path: String) throws -> Bool {
                    try browser.value(
                        """
                        new Promise((loaded) => {
                          const frame = document.createElement('iframe');
                          frame.onload = () => { window.shown = frame.contentDocument !== null; loaded(); };
                          frame.src = '\(path)';
                          document.body.append(frame);
                        })
                        """)
                    return try browser.holds("window.shown")
                }
                // The page around is of the same origin, so that it may look into a frame that is shown.
                #expect(try isShown("/status"))
                #expect(try !isShown("/console"))
            }
        }
    }
}
