import BellerophonStore
import Digests
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonServerCommand

/// Hooks: who is told of what, how often, and what is kept when nobody listens.
struct WebhookTests {
    private let home: TestFolder
    private let store: Store

    init() throws {
        home = try TestFolder()
        store = try Store(folder: home.url.appendingPathComponent("store"), creates: true)
    }

    @Test func aFailureThatIsTriedAgainIsToldInWords() {
        let failure = CommandError("the server is busy", hint: "wait", exitCode: SystemExit.temporary)
        #expect("\(failure)" == "the server is busy (wait)")
    }

    // MARK: Reminders

    @Test(
        "A timed kill is reminded of before its end, and one of more than a day each day",
        arguments: [
            (Publication(action: .kill, endsAfter: .seconds(3600)), 2990, nil),
            (Publication(action: .kill, endsAfter: .seconds(3600)), 3001, "1 ends"),
            (Publication(action: .kill, endsAfter: .seconds(3600)), 3599, "1 ends"),
            (Publication(action: .kill, endsAfter: .seconds(3600)), 3601, nil),
            (Publication(action: .kill), 86_000, nil), (Publication(action: .kill), 86_500, "1 stands 1"),
            (Publication(action: .kill), 3 * 86_400 + 1, "1 stands 3"), (Publication(action: .restore), 1e6, nil),
        ] as [(Publication, Double, String?)])
    func aKillIsRemindedOf(publication: Publication, seconds: Double, key: String?) async throws {
        let time = try await store.publish(publication, by: "ada").at.addingTimeInterval(seconds)
        let reminders = try store.snapshot().statuses.values.flatMap { Reminder.due($0, WebhookSettings(), at: time) }
        #expect(reminders.map(\.key) == (key.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            (691_200, nil), (604_799, "token ci 604800"), (86_401, "token ci 604800"), (86_399, "token ci 86400"),
            (1, "token ci 86400"), (0, nil), (-1, nil),
        ] as [(Double, String?)])
    func aTokenIsRemindedOfBeforeItExpires(left: Double, key: String?) async throws {
        let request = TokenRequest(name: "ci", scopes: [.read], expiresAfter: .seconds(90 * 86_400))
        let record = try await store.createToken(request, by: "ada").record
        let end = try #require(record.expiresAt)
        #expect(Reminder.due(record, at: end.addingTimeInterval(-left))?.key == key)
        let short = try await store.createToken(
            TokenRequest(name: "short", scopes: [.read], expiresAfter: .seconds(3600)), by: "ada"
        ).record
        #expect(Reminder.due(short, at: short.createdAt.addingTimeInterval(1)) == nil)
    }

    // MARK: Problems

    @Test("A new problem is reported once, a changed number in a known problem is not, and the end of all problems is")
    func newProblemIsReported() async throws {
        let listener = Listener()
        let problems = Mutex<[String]>([])
        let runner = runner(listener) { problems.withLock { $0 } }
        let late = ["not looked at for 12 s", "the clock was set"]
        for now in [["not looked at for 10 s"], ["not looked at for 11 s"], late, late, [], []] {
            problems.withLock { $0 = now }
            await runner.reportProblems(at: Date())
        }
        try await eventually("three events") { listener.events.count >= 3 ? () : nil }
        // Failures arrive in their order.
        #expect(listener.events.map(\.event) == [.failure, .failure, .recovery])
        #expect(listener.events.map(\.problems) == [["not looked at for 10 s"], late, late])
    }

    // MARK: Delivery

    /// Keeps what it is told of, and fails on request.
    final class Listener: Sendable {
        private let state = Mutex<(events: [WebhookEvent], failures: Int)>(([], 0))
        /// Events that it never takes.
        private let refused = Mutex<Set<Int64>>([])

        var events: [WebhookEvent] { state.withLock { $0.events } }
        func fail(_ count: Int) { state.withLock { $0.failures = count } }
        func refuse(_ rows: Set<Int64>) { refused.withLock { $0 = rows } }

        var target: WebhookTarget { WebhookTarget(name: "hooks.command") { event, _ in self.deliver(event) } }

        private func deliver(_ event: WebhookEvent) -> WebhookProblem? {
            if let row = event.row?.id, refused.withLock({ $0.contains(row) }) {
                return WebhookProblem(description: "not this one")
            }
            return state.withLock { state in
                guard state.failures == 0 else {
                    state.failures -= 1
                    return WebhookProblem(description: "nobody listens")
                }
                state.events.append(event)
                return nil
            }
        }
    }

    private func runner(
        _ listener: Listener, attempts: Int = 2, problems: @escaping @Sendable () async -> [String] = { [] }
    ) -> WebhookRunner {
        var settings = WebhookSettings()
        settings.attempts = attempts
        return WebhookRunner(
            store, settings, [listener.target], logger: .silent, problems: problems)
    }

    @Test func eachRowIsToldOnceAlsoAfterARestart() async throws {
        _ = try await store.publish(Publication(action: .restore, reason: "before there was a hook"), by: "ada")
        let listener = Listener()
        let first = Task { [runner = runner(listener)] in await runner.run() }
        try await begun("hooks.command", at: 1)
        _ = try await store.publish(Publication(action: .kill, endsAfter: .seconds(1)), by: "ada")
        try await eventually("the event") { listener.events.count == 1 ? () : nil }
        try await begun("hooks.command", at: 2)
        first.cancel()
        await first.value
        _ = try await store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada")
        let second = Task { [runner = runner(listener)] in await runner.run() }
        try await eventually("the end") {
            _ = try await store.writeDue()
            return listener.events.count == 3 ? () : nil
        }
        second.cancel()
        await second.value
        // Events of different kinds don't wait for each other.
        #expect(listener.events.filter { $0.event != .token }.map(\.event) == [.publish, .end])
        #expect(listener.events.compactMap(\.row?.id).sorted() == [2, 3, 4])
        #expect(Set(listener.events.map(\.id)).count == 3)
    }

    @Test func proposalsAndBrokenGlassAreTold() async throws {
        try await store.tightenApprovalRule(to: ApprovalRule(apps: ["default"]))
        let listener = Listener()
        let task = Task { [runner = runner(listener)] in await runner.run() }
        try await begun("hooks.command", at: 1)
        let proposal = try await store.propose(Publication(action: .kill, reason: "disk swap"), by: "ada")
        _ = try await store.approve(proposal.id, by: "bob")
        let other = try await store.propose(Publication(action: .restore), by: "ada")
        _ = try await store.reject(other.id, by: "bob", reason: "too early")
        _ = try await store.publish(Publication(action: .kill, reason: "alone"), by: "bob", breaksGlass: true)
        let change = try await store.proposeRule(RuleChange(to: ApprovalRule(), reason: "moved"), by: "ada")
        _ = try await store.approve(change.id, by: "bob")
        try await eventually("the events") { listener.events.count == 7 ? () : nil }
        task.cancel()
        await task.value
        func texts(_ kind: WebhookEvent.Kind) -> [String] { listener.events.filter { $0.event == kind }.map(\.text) }
        #expect(
            // Events of different subjects have no order.
            texts(.proposal).filter { !$0.contains("approval-rule") } == [
                "propose kill of default/main by ada: disk swap", "propose restore of default/main by ada",
                "reject restore of default/main by bob, proposed by ada: too early",
            ])
        #expect(
            texts(.proposal).filter { $0.contains("approval-rule") } == [
                "propose approval-rule by ada: no status takes two persons: moved",
                "approval-rule by bob, proposed by ada: no status takes two persons: moved",
            ])
        #expect(
            texts(.publish) == [
                "kill of default/main by bob, proposed by ada: disk swap",
                "kill of default/main by bob alone (break glass): alone",
            ])
    }

    @Test("An event that fails all attempts is kept as undelivered, and the next one is sent")
    func undeliverableEventIsKept() async throws {
        let listener = Listener()
        listener.fail(3)
        let task = Task { [runner = runner(listener)] in await runner.run() }
        try await begun("hooks.command", at: 0)
        for number in 1...2 { _ = try await store.publish(Publication(action: .kill, reason: "\(number)"), by: "ada") }
        // The first row has no attempt left, and the second row arrives with its last one.
        try await eventually("the second event") { listener.events.first }
        task.cancel()
        await task.value
        #expect(listener.events.map(\.row?.reason) == ["2"])
        let kept = UndeliveredEvents(store.folder).entries
        #expect(kept.map(\.event.row?.reason) == ["1"] && kept.first?.problem == "nobody listens")
    }

    /// With 50 attempts and their pauses, the refused events would hold up others for most of an hour.
    @Test func aKillWaitsForNoEventThatAHookCannotTake() async throws {
        let listener = Listener()
        listener.refuse([1, 2, 3])
        let task = Task { [runner = runner(listener, attempts: 50)] in await runner.run() }
        try await begun("hooks.command", at: 0)
        let other = try Scope(app: "notes")
        _ = try await store.createToken(TokenRequest(name: "ci", scopes: [.publish]), by: "ada")
        _ = try await store.publish(Publication(scope: other, action: .kill), by: "ada")
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        _ = try await store.createToken(TokenRequest(name: "next", scopes: [.publish]), by: "ada")
        try await eventually("the kill and the token") { listener.events.count == 2 ? () : nil }
        #expect(Set(listener.events.map(\.row?.id)) == [4, 5])
        // The restore of the same channel must not arrive after the kill.
        let kept = try await eventually("what is put aside") { UndeliveredEvents(store.folder).entries.first }
        #expect(kept.event.row?.id == 3 && kept.problem == "not this one; a later event of the same has arrived")
        // The kill of another app and the first token are still tried: the positions are before them.
        #expect(try await store.mark("hooks.command statuses") ?? 0 < 2)
        #expect(try await store.mark("hooks.command tokens") == 0)
        task.cancel()
        await task.value
        listener.refuse([])
        let second = Task { [runner = runner(listener)] in await runner.run() }
        try await eventually("the refused kill and token") {
            Set(listener.events.map(\.row?.id)).isSuperset(of: [1, 2]) ? () : nil
        }
        try await eventually("the positions") {
            let (statuses, tokens) = (
                try await store.mark("hooks.command statuses"), try await store.mark("hooks.command tokens")
            )
            return statuses ?? 0 >= 4 && tokens == 5 ? () : nil
        }
        second.cancel()
        await second.value
    }

    /// Waits until every queue of a target has a position, and that of statuses is a row.
    private func begun(_ target: String, at row: Int64) async throws {
        try await eventually("the positions") {
            var marks: [Int64?] = []
            for kind in WebhookKind.allCases where kind != .notices { marks.append(try await store.mark("\(target) \(kind)")) }
            let statuses = try await store.mark("\(target) statuses")
            return !marks.contains(nil) && statuses == row ? () : nil
        }
    }

    // MARK: As processes

    private func serve(_ environment: [String: String?]) async throws -> RunningProgram {
        let program = try RunningProgram(
            try Products.path("bellerophon-server"), ["serve", "--store", store.folder.path, "--port", "0"], home: home,
            environment: environment)
        return try await onOwnThread {
            _ = try program.wait(for: "server") { $0.contains("listening") ? () : nil }
            return program
        }
    }

    @Test func aCommandGetsTheEventAsJSON() async throws {
        let program = try await serve(["BELLEROPHON_SERVER_HOOKS_COMMAND": "cat >>'\(home.path("events"))'"])
        try await begun("hooks.command", at: 0)
        _ = try await store.publish(Publication(action: .kill, message: "Back soon.\u{1B}", reason: "disk swap"), by: "ada")
        let text = try await eventually("the event") {
            home.text("events").flatMap { $0.hasSuffix("}") ? $0 : nil }
        }
        let event = try StoreJSON.value(WebhookEvent.self, from: Data(text.utf8))
        let row = try store.journal().first
        #expect(event.event == .publish && event.row == row)
        #expect(text.split(separator: "\n").count == 1 && !text.contains("\u{1B}"))
        #expect(program.log.contains("listening"))
    }

    @Test("A kill beside long rules is told to a command, whatever the size of its row")
    func longRowIsTold() async throws {
        // The row has the rules twice, and each quote of them is escaped there once more.
        let text = String(repeating: #"\""#, count: 8000)
        let rule =
            #"{"id":"a","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"to":"1.5.2","note":"\#(text)","optional":["note"]}"#
        _ = try await store.publish(Publication(scope: .main, rules: RulesEdit(put: [rule], everyone: true)), by: "ada")
        let kill = Publication(action: .kill, reason: String(repeating: "\"", count: 1000))
        let event = WebhookEvent(try await store.publish(kill, by: "ada"), store: "1119c216")
        #expect(try StoreJSON.data(event).count > 65_536)
        let hook = WebhookTarget.command("cat >'\(home.path("event"))'", limit: .seconds(600))
        #expect(await hook.deliver(event) == nil)
        #expect(try StoreJSON.value(WebhookEvent.self, from: Data(#require(home.text("event")).utf8)) == event)
    }

    @Test("A webhook request is signed, and a refused event can be sent again by command")
    func webhookIsSignedAndRetried() async throws {
        let secret = "0123456789abcdef"
        let receiver = try HostileServer(.json("{}", status: 500))
        let environment: [String: String?] = [
            "BELLEROPHON_SERVER_HOOKS_URL": receiver.url("/hook").absoluteString,
            "BELLEROPHON_SERVER_HOOKS_SECRET": try secretFile("\(secret)\n"),
            "BELLEROPHON_SERVER_HOOKS_ATTEMPTS": "1",
        ]
        let program = try await serve(environment)
        try await begun("hooks.url", at: 0)
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        let undelivered = UndeliveredEvents(store.folder)
        try await eventually("the kept event") { undelivered.entries.first }
        let request = try #require(receiver.requests.first)
        #expect(request.method == "POST" && request.path == "/hook" && request.header("Bellerophon-Event") == "publish")
        let signature = try #require(request.header("Bellerophon-Signature"))
        let parts = signature.split(separator: ",").compactMap { $0.split(separator: "=").last }
        let expected = KeyedDigest.sha256(Data("\(parts[0]).".utf8) + Data(request.body), key: Data(secret.utf8))
        #expect(parts.count == 2 && String(parts[1]) == expected)
        #expect(program.log.contains("see bellerophon-server hooks"))

        func hooks(_ arguments: String...) async throws -> CommandResult {
            try await runServerCommand(
                ["hooks"] + arguments + ["--store", store.folder.path], environment: environment, home: home)
        }
        #expect(try await hooks("list").standardOutput.contains("the address replied with HTTP 500"))
        let failed = try await hooks("retry")
        #expect(failed.status == .exited(69) && failed.standardOutput == "0 delivered, 1 left\n")
        receiver.reply = .json("{}")
        #expect(try await hooks("test").standardOutput == "hooks.url: delivered\n")
        #expect(try await hooks("retry").standardOutput == "1 delivered, 0 left\n")
        #expect(try await hooks("list").standardError == "everything was delivered\n")
    }

    @Test func aSecretThatCannotBeUsedStopsTheStart() async throws {
        let result = try await runServerCommand(
            ["serve", "--check", "--store", store.folder.path],
            environment: [
                "BELLEROPHON_SERVER_HOOKS_URL": "http://127.0.0.1:1/", "BELLEROPHON_SERVER_PORT": "0",
                "BELLEROPHON_SERVER_HOOKS_SECRET": try secretFile("short"),
            ], home: home)
        #expect(result.status == .exited(78) && result.standardError.contains("expected at least 16"))
    }

    private func secretFile(_ text: String, mode: Int = 0o600) throws -> String {
        let path = try home.write(text, to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func aSecretThatOthersMayReadIsRefused() async throws {
        var settings = WebhookSettings()
        settings.secret = try secretFile("0123456789abcdef", mode: 0o604)
        let error = #expect(throws: ServerError.self) { try settings.secretBytes() }
        #expect(
            error?.description.contains("users other than its owner can read or change it (mode 604); run chmod 600 on it")
                == true)
    }

    @Test("A hook command that exceeds its time limit is ended with its process group")
    func hangingCommandIsKilled() async throws {
        let started = home.path("started")
        let (group, _) = try await withLongEnoughLimit("start of the command") { limit in
            let command = "echo $$ >'\(started)'; sleep 1000 & wait"
            let problem = await ShellCommand.problem(of: command, input: Data(), limit: limit)
            #expect(problem?.contains("took longer than") == true)
            return home.text("started").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        try await eventually("the end of the group") { Self.runs(group: group) ? nil : () }
    }

    /// Whether a process of a group runs. One that has ended stays where process 1 waits for nobody, as in some containers.
    private static func runs(group: pid_t) -> Bool {
        guard kill(-group, 0) == 0 else { return false }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return true }
        return names.contains { name in
            guard Int32(name) != nil, let stat = FileManager.default.contents(atPath: "/proc/\(name)/stat") else { return false }
            // After the name in parentheses: the state, the parent and the group.
            let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 2 && fields[0] != "Z" && fields[2] == "\(group)"
        }
    }

    /// The shell ends at SIGTERM, and what it has started does not.
    @Test("A child process that ignores SIGTERM is killed after its shell ends")
    func stubbornChildIsKilled() async throws {
        let (started, deaf) = (home.path("started"), home.path("deaf"))
        let loop = "trap \"\" TERM; touch \"\(deaf)\"; while :; do sleep 1; done"
        let command = "echo $$ >'\(started)'; sh -c '\(loop)' & wait"
        let running = Task { await ShellCommand.problem(of: command, input: Data(), limit: .seconds(600)) }
        try await eventually("the command") { home.text("deaf") }
        // As a server that ends does it.
        running.cancel()
        #expect(await running.value == "the command was ended by signal \(SIGTERM)")
        let group = try #require(home.text("started").flatMap { pid_t($0) })
        try await eventually("the end of the group") { Self.runs(group: group) ? nil : () }
    }
}
