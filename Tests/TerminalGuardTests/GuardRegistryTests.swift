import Bellerophon
import Foundation
import LocalControl
import TestSupport
import Testing

@testable import TerminalGuard

/// The sockets of guards, and what a guard does for who asks.
@MainActor @Suite("Guards that are known to their machine")
struct GuardRegistryTests {
    private let home: TestFolder
    private let registry: GuardRegistry
    private let control: GuardControl
    private nonisolated let patience = TestSupport.patience

    init() throws {
        home = try TestFolder()
        registry = GuardRegistry(own: [SocketFolder(path: home.path("guards"))])
        control = Self.control(registry)
    }

    private static func control(_ registry: GuardRegistry, holds: Bool? = false) -> GuardControl {
        var setup = GuardSetup.ofTest
        setup.configuration.app = AppInfo(name: "vim", version: "9.0.1378")
        setup.configuration.app.versionOrigin = "dpkg-query"
        setup.registry = registry
        setup.fingerprint = "f00d"
        setup.holds = { _ in holds }
        return GuardControl(setup, BellerophonManager(config: setup.configuration), hasTerminal: true)
    }

    private static let person = SocketPeer(user: geteuid(), process: getpid())

    private func ask(
        _ request: GuardRequest, _ registry: GuardRegistry? = nil, within limit: Duration? = nil
    ) async throws
        -> [GuardListing]
    {
        let registry = registry ?? self.registry, limit = limit ?? patience
        return try await onOwnThread { registry.ask(request, registry.entries(), within: limit) }
    }

    // MARK: Requests

    @Test func aRequestIsALineOfJSON() {
        let requests: [GuardRequest] = [.state, .stop(reason: "a\nb", person: "ada"), .release(person: nil)]
        for request in requests {
            #expect(GuardRequest(line: request.line) == request)
            #expect(!request.line.contains("\n"))
        }
        for line in ["", "{}", #"{"command":"end"}"#, "stop"] { #expect(GuardRequest(line: line) == nil) }
    }

    @Test("A local stop keeps its first reason until released, and both commands can be repeated")
    func localStopIsIdempotent() throws {
        var changes: [LocalStopChange] = []
        control.onChange = { changes.append($0) }
        let first = control.reply(to: .stop(reason: "wrong \u{1B}[2Jfolder\n", person: nil), of: Self.person)
        #expect(first.ok && first.outcome == .stopped)
        let stop = try #require(first.state?.localStop)
        #expect(stop.by == UserName.of(geteuid()) && !stop.fromInside)
        #expect(stop.reason?.contains("\u{1B}") == false && stop.reason?.contains("\n") == false)
        #expect(first.state?.blockedBy == [.local])
        #expect(control.reply(to: .stop(reason: "other", person: nil), of: Self.person).outcome == .alreadyStopped)
        #expect(control.localStop?.reason == stop.reason, "the first reason stays")
        #expect(control.reply(to: .release(person: nil), of: Self.person).outcome == .released)
        #expect(control.reply(to: .release(person: nil), of: Self.person).outcome == .notStopped)
        #expect(changes.count == 2)
    }

    @Test("A process of the guarded program can stop it but cannot release the stop", arguments: [true, nil])
    func programCannotReleaseLocalStop(holds: Bool?) {
        let control = Self.control(registry, holds: holds)
        let stranger = SocketPeer(user: 4711, process: 4712)
        let stop = control.reply(to: .stop(reason: nil, person: nil), of: stranger)
        #expect(stop.outcome == .stopped && stop.state?.localStop?.fromInside == true)
        let reply = control.reply(to: .release(person: nil), of: stranger)
        #expect(!reply.ok && reply.outcome == .notPermitted && reply.error?.isEmpty == false)
        #expect(control.localStop != nil)
    }

    @Test func rootMayAskForAPerson() {
        let root = SocketPeer(user: 0, process: 0), other = SocketPeer(user: 4711, process: 0)
        #expect(control.reply(to: .stop(reason: nil, person: "ada"), of: root).state?.localStop?.by == "root (ada)")
        _ = control.reply(to: .release(person: nil), of: root)
        #expect(control.reply(to: .stop(reason: nil, person: "ada"), of: other).state?.localStop?.by == "4711")
    }

    // MARK: Sockets

    @Test func aGuardRepliesToOtherProcesses() async throws {
        control.register()
        defer { control.close() }
        let listing = try #require(try await ask(.state).first)
        #expect(listing.pid == getpid() && listing.process == getpid() && listing.name == "vim")
        #expect(listing.state?.program.arguments == ["/usr/bin/vim", "notes.txt"])
        #expect(listing.state?.program.state == "notStarted" && listing.state?.server == "demo.local")
        #expect(listing.health == .ok, "nothing was asked yet")
    }

    @Test("A guard whose socket was removed is found after it registers again")
    func removedSocketIsRestored() async throws {
        control.register()
        defer { control.close() }
        try FileManager.default.removeItem(atPath: home.path("guards"))
        #expect(try await ask(.state) == [])
        control.register()
        #expect(try await ask(.state).count == 1)
    }

    @Test func aGuardThatHangsDelaysNoOther() async throws {
        control.register()
        defer { control.close() }
        let hung = try UnixSocket.listening(at: home.path("guards") + "/99.sock")
        let found = try await ask(.state, within: .milliseconds(600))
        #expect(found.map(\.pid).sorted() == [99, getpid()].sorted())
        #expect(found.first { $0.pid == 99 }?.health == .notResponding)
        let report = GuardListReport(found)
        #expect(report.needsAttention && report.text.contains("not responding"))
        #expect(report.json.contains(#""health":"notResponding""#))
        #expect(report.text.contains("9.0.1378 (dpkg-query)"))
        #expect(report.json.contains(#""versionFrom":"dpkg-query""#))
        withExtendedLifetime(hung) {}
    }

    @Test("A process counts as a guard only if its own socket replies with the same fingerprint")
    func guardIdentityNeedsFingerprint() async throws {
        control.register()
        defer { control.close() }
        let registry = registry, patience = patience, process = getpid()
        // A socket with another number in its name, of a process that is not that one.
        try FileManager.default.createSymbolicLink(
            atPath: home.path("guards/4711.sock"), withDestinationPath: home.path("guards/\(process).sock"))
        let results = try await onOwnThread {
            [
                registry.hasGuard(among: [process], fingerprint: "f00d", within: patience),
                registry.hasGuard(among: [process], fingerprint: "beef", within: patience),
                registry.hasGuard(among: [4711], fingerprint: "f00d", within: patience),
                registry.hasGuard(among: [getppid()], fingerprint: "f00d", within: patience),
            ]
        }
        #expect(results == [true, false, false, false])
    }

    // MARK: Choosing

    @Test func aNameMeansEveryGuardOfThatProgram() async throws {
        let folder = SocketFolder(path: home.path("guards"))
        try folder.prepare()
        let state = control.state
        func listing(_ pid: Int32, _ name: String) -> GuardListing {
            var own = state
            (own.pid, own.program.name) = (pid, name)
            let entry = SocketFolder.Entry(path: "/\(pid).sock", pid: pid, owner: geteuid())
            return GuardListing(entry, reply: GuardReply(ok: true, state: own), process: pid)
        }
        let all = [listing(11, "vim"), listing(12, "sh"), listing(13, "vim"), listing(14, "12")]
        func pick(_ selection: GuardSelection, _ ancestors: [Int32] = [], _ mark: GuardNesting? = nil) -> [Int32] {
            selection.pick(all, ancestors: ancestors, mark: mark).map(\.pid)
        }
        #expect(pick(.named("vim")) == [11, 13])
        #expect(pick(.named("12")) == [12], "a process before a program of that name")
        #expect(pick(.named("emacs")) == [] && pick(.all) == [11, 12, 13, 14])
        #expect(pick(.own, [5, 13, 11, 1]) == [13], "the nearest")
        #expect(pick(.own, [1]) == [])
        #expect(pick(.own, [1], GuardNesting(process: 12, fingerprint: "f00d")) == [12], "its parents have ended")
    }
}

extension GuardSetup {
    /// A guarded program without a server.
    static var ofTest: GuardSetup {
        GuardSetup(
            command: ProgramCommand(["/usr/bin/vim", "notes.txt"]),
            configuration: BellerophonConfig(window: nil, source: NoSource()))
    }
}

private struct NoSource: StatusSource {
    let name = "demo.local/status", host = "demo.local"
    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        StatusCheck {}
    }
}
