import Bellerophon
import BellerophonBase
import Foundation
import LocalControl
import SafeText

/// A change of the stop on this machine.
package enum LocalStopChange: Equatable, Sendable {
    case stopped(LocalStop)
    /// `author`: who has released it.
    case released(author: String)
}

/// Replies to other processes of this machine for one guard, and keeps the stop that they ask for.
@MainActor
final class GuardControl {
    /// Called after the stop has begun or was released.
    var onChange: (LocalStopChange) -> Void = { _ in }
    /// What happens to the program.
    var fate = CoveredProgram.notStarted
    private(set) var localStop: LocalStop?
    /// Whether root has asked for the stop.
    private var isFromRoot = false
    /// Counts everything that the program has started.
    var tree: () -> TreeSummary = { TreeSummary() }
    private let setup: GuardSetup
    private let manager: BellerophonManager
    private let hasTerminal: Bool
    private let started = Date()
    private var server: LineServer?

    /// The longest reason, in bytes.
    private static let reasonLimit = 500

    init(_ setup: GuardSetup, _ manager: BellerophonManager, hasTerminal: Bool) {
        (self.setup, self.manager, self.hasTerminal) = (setup, manager, hasTerminal)
    }

    /// Makes the guard known to this machine, or makes it known again after its socket was removed: the system empties
    /// `$XDG_RUNTIME_DIR` at log-out. Without a folder that can hold sockets the guard works as with one, but can't be seen.
    func register() {
        guard let registry = setup.registry, server?.isListed != true else { return }
        server?.close()
        server = try? LineServer.start(
            in: registry.own, limits: .init(connections: 32, line: 4096), admitsRoot: true,
            refusal: { GuardReply.refused($0).line },
            handler: { [weak self] line, peer in
                guard let self else { return GuardReply.refused("the guard is ending").line }
                guard let request = GuardRequest(line: line) else {
                    return GuardReply.refused("expected {\"command\":\"state\"}, stop or continue").line
                }
                return reply(to: request, of: peer).line
            })
    }

    func close() {
        server?.close()
        server = nil
    }

    // MARK: Requests

    func reply(to request: GuardRequest, of peer: SocketPeer) -> GuardReply {
        switch request.command {
        case .state: GuardReply(ok: true, outcome: .reported, state: state)
        case .stop: stop(request.reason, peer, author: Self.author(peer, request.person))
        case .release: release(peer, author: Self.author(peer, request.person))
        }
    }

    private func stop(_ reason: String?, _ peer: SocketPeer, author: String) -> GuardReply {
        guard localStop == nil else { return GuardReply(ok: true, outcome: .alreadyStopped, state: state) }
        let text = TextSanitizer.sanitize(reason ?? "", keepingNewlines: false, limit: Self.reasonLimit)
        let stop = LocalStop(
            author: author, isFromInside: isInside(peer), reason: text.isEmpty ? nil : text, since: Date(),
            release: "bellerophon guard continue \(getpid())")
        localStop = stop
        isFromRoot = peer.user == 0
        onChange(.stopped(stop))
        return GuardReply(ok: true, outcome: .stopped, state: state)
    }

    private func release(_ peer: SocketPeer, author: String) -> GuardReply {
        if isFromRoot, localStop != nil, peer.user != 0 {
            return .refused("root has stopped it, and only root can release it", .notPermitted, state)
        }
        if isInside(peer) { return .refused("a guarded program can't release its own guard", .notPermitted, state) }
        guard localStop != nil else { return GuardReply(ok: true, outcome: .notStopped, state: state) }
        localStop = nil
        onChange(.released(author: author))
        return GuardReply(ok: true, outcome: .released, state: state)
    }

    /// Whether a process belongs to the guarded program. One that can't be looked at counts as one that does, because it may have
    /// ended to hide where it came from; but the superuser's processes may be hidden from this user.
    private func isInside(_ peer: SocketPeer) -> Bool {
        // A process that can't be seen from here runs outside of this container.
        guard peer.process > 0 else { return false }
        return setup.holds(peer.process) ?? (peer.user != 0) || Self.isMarked(peer.process)
    }

    /// Whether a process was started below this guard, as its environment says. It also finds one whose parent has ended.
    private static func isMarked(_ process: Int32) -> Bool {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/environ") else { return false }
        let mark = Data("\(GuardNesting.variable)=\(getpid()):".utf8)
        return data.split(separator: 0).contains { $0.starts(with: mark) }
    }

    /// The peer's user. Root may ask for a person: `root (ada)`.
    private static func author(_ peer: SocketPeer, _ person: String?) -> String {
        let user = UserName.of(peer.user)
        let named = TextSanitizer.sanitize(person ?? "", keepingNewlines: false, limit: 40)
        return peer.user == 0 && !named.isEmpty && named != user ? "\(user) (\(named))" : user
    }

    // MARK: The state

    var state: GuardState {
        let machine = manager.machine, now = manager.now
        let age = machine.confirmedAt.map { max(.zero, $0.duration(to: now)) }
        let blockers: [GuardState.Blocker?] = [machine.stage.isBlocked ? .server : nil, localStop == nil ? nil : .local]
        let app = manager.config.app, version = machine.app.version
        return GuardState(
            pid: getpid(), user: UserName.of(geteuid()), program: program, version: version,
            versionFrom: version == app.version ? app.versionOrigin : nil, started: started, terminal: hasTerminal,
            stage: machine.stage.rawValue, blockedBy: blockers.compactMap(\.self),
            localStop: localStop.map { .init(by: $0.author, reason: $0.reason, since: $0.since, fromInside: $0.isFromInside) },
            statusAge: age.map { ($0.inSeconds * 1000).rounded() / 1000 }, stale: isStale(machine, age: age, at: now),
            server: manager.config.senderName,
            reachable: machine.failure != nil ? false : machine.lastReply == nil ? nil : true,
            problem: machine.failure?.description, simulated: manager.config.isSimulated, tree: tree(),
            fingerprint: setup.fingerprint)
    }

    private var program: GuardState.Program {
        let words = setup.command.arguments.map { TextSanitizer.printable(String(decoding: $0, as: UTF8.self)) }
        let state =
            switch fate {
            case .notStarted: "notStarted"
            case .own, .busy, .running: "running"
            case .paused: "paused"
            case .stopped: "stopped"
            case .ending: "ending"
            case .ended: "ended"
            }
        return .init(name: (setup.command.name as NSString).lastPathComponent, arguments: words, state: state)
    }

    /// Whether the status is over its maximum age, or three checks have not confirmed it and a minute more has passed.
    private func isStale(_ machine: StageMachine, age: Duration?, at now: MonotonicInstant) -> Bool {
        if machine.isStale(at: now) { return true }
        // A stream that is the only transport confirms nothing while the status is unchanged.
        guard let age, machine.lastReply != nil, machine.polling != .off else { return false }
        let policy = manager.config.policy
        let regular = policy.clamp(seconds: machine.document?.interval ?? .nan).wait
        let interval = machine.polling == .regular ? regular : policy.safetyInterval
        return age > max(interval, machine.nextCheck?.wait ?? .zero) * 3 + .seconds(60)
    }
}

/// Names of users.
package enum UserName {
    /// The name of a user in the user database, otherwise the number.
    package static func of(_ user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }
}
