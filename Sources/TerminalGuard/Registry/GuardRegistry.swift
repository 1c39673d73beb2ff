import BellerophonBase
import Foundation
import LocalControl

/// Where guards have their sockets, and what they reply.
package struct GuardRegistry: Sendable {
    /// The folders in which a guard of this user listens, in order of preference.
    package let own: [SocketFolder]
    /// The folders in which guards are looked for.
    package let searched: [SocketFolder]

    package init(own: [SocketFolder], searched: [SocketFolder]? = nil) {
        self.own = own
        self.searched = searched ?? own
    }

    /// The usual folders: `bellerophon/guards` in `$XDG_RUNTIME_DIR`, and `bellerophon/run/guards` in the state folder. Guards are
    /// also looked for in `/run/user/UID`, because not every process has the variable.
    ///
    /// The superuser also looks into these folders of other users: `/run/user/*/bellerophon/guards`, and
    /// `~/.local/state/bellerophon/run/guards` of everybody in the user database.
    package static func usual(_ environment: [String: String]) -> GuardRegistry {
        let named = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let state = UserFolder.state.url(environment).path
        let own = [named.map { runtimeFolder($0) }, stateFolder(state)].compactMap(\.self)
        let others = geteuid() == 0 ? foreign() : []
        let all = [own[0], runtimeFolder("/run/user/\(geteuid())")] + own.dropFirst() + others
        var seen: Set<String> = []
        return GuardRegistry(own: own, searched: all.filter { seen.insert($0.path).inserted })
    }

    private static func runtimeFolder(_ path: String, owner: uid_t = geteuid()) -> SocketFolder {
        SocketFolder(path: "\(path)/bellerophon/guards", owner: owner)
    }

    private static func stateFolder(_ path: String, owner: uid_t = geteuid()) -> SocketFolder {
        SocketFolder(path: "\(path)/bellerophon/run/guards", owner: owner)
    }

    /// The folders of other users.
    private static func foreign() -> [SocketFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/run/user")) ?? []
        let runtime = names.compactMap { uid_t($0) }.map { runtimeFolder("/run/user/\($0)", owner: $0) }
        var states: [SocketFolder] = []
        setpwent()
        while let entry = getpwent() {
            let (user, home) = (entry.pointee.pw_uid, String(cString: entry.pointee.pw_dir))
            if user != 0, home.hasPrefix("/") { states.append(stateFolder("\(home)/.local/state", owner: user)) }
        }
        endpwent()
        return runtime + states
    }

    /// The longest wait for all guards together. A guard on a busy machine replies late; one that is stopped or hangs never does.
    package static let patience = Duration.seconds(5)

    /// The sockets of guards that may run. Removes those of ended guards of this user.
    package func entries() -> [SocketFolder.Entry] {
        for folder in searched where folder.owner == geteuid() { folder.removeAbandoned() }
        return searched.flatMap { $0.entries() }
    }

    /// Asks guards at the same time. Those that have ended are left out.
    package func ask(
        _ request: GuardRequest, _ entries: [SocketFolder.Entry], within limit: Duration = patience
    ) -> [GuardListing] {
        let outcomes = LineExchange.exchange(request.line, with: entries, limit: limit)
        return zip(entries, outcomes).compactMap { entry, outcome in
            switch outcome {
            case .gone: nil
            case .silence: GuardListing(entry, reply: nil)
            case .reply(let line, let peer): GuardListing(entry, reply: GuardReply(line: line), process: peer.process)
            }
        }
    }

    /// Asks guards that were listed at the same time, but those of some processes after the others.
    package func ask(_ request: GuardRequest, of listings: [GuardListing], last processes: [Int32]) -> [GuardListing] {
        let first = listings.filter { !processes.contains($0.pid) }, last = listings.filter { processes.contains($0.pid) }
        return ask(request, first.map(\.entry)) + ask(request, last.map(\.entry))
    }

    /// Whether one of some processes is a guard of this user that replies and has these settings.
    ///
    /// A guard of another user does not count: it could not pause or end the programs of this one.
    /// - Parameter limit: the longest wait. It is reached only if a guard above this process has a socket and does not reply. Such a
    ///   guard relays nothing either, so the wait delays no program that could be used.
    package func hasGuard(among processes: [Int32], fingerprint: String, within limit: Duration = patience) -> Bool {
        let named = searched.filter { $0.owner == geteuid() }.flatMap { $0.entries() }.filter { processes.contains($0.pid) }
        guard !named.isEmpty else { return false }
        return ask(.state, named, within: limit).contains { listing in
            listing.process == listing.pid && listing.state?.pid == listing.pid && listing.state?.fingerprint == fingerprint
        }
    }
}

/// A guard that was asked.
package struct GuardListing: Equatable, Sendable {
    package let entry: SocketFolder.Entry
    /// Nil if it has not replied in time.
    package let reply: GuardReply?
    /// The process that listens at the socket; 0 if it is not known.
    package let process: Int32

    init(_ entry: SocketFolder.Entry, reply: GuardReply?, process: Int32 = 0) {
        (self.entry, self.reply, self.process) = (entry, reply, process)
    }

    package var pid: Int32 { entry.pid }
    package var state: GuardState? { reply?.state }
    package var health: GuardState.Health { state?.health ?? .notResponding }
    /// The program's name.
    package var name: String { state?.program.name ?? Self.program(of: pid) ?? "unknown" }

    /// The program on the command line of a guard that does not reply; nil if it can't be read.
    private static func program(of pid: Int32) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return nil }
        let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let name = words.first.map { ($0 as NSString).lastPathComponent }
        // A program that has started itself under a guard has its own name.
        guard let name, name == "bellerophon" else { return name }
        return words.firstIndex(of: "--").flatMap { words.dropFirst($0 + 1).first }.map { ($0 as NSString).lastPathComponent }
    }
}
