import Barricade
import Bellerophon
import BellerophonBase
import CloudBox
import Foundation
import ProgramKit
import ReadyScenarios
import ScenarioKit
import TerminalUI

/// The dashboard's own content: reads the installed resources, fetches newer ones and reports changes.
///
/// An invalid resource is rejected before it is installed, so a broken file never replaces a valid one.
@MainActor
final class ContentLibrary {
    private let box: CloudBoxClient
    private let forgets: Bool
    private let names: [String]
    private var send: @MainActor (DashboardMessage) -> Void = { _ in }
    private var onScenarios: @MainActor (ScenarioFile) -> Void = { _ in }
    private var timer: ScheduledCall?
    private var watchers: [Task<Void, Never>] = []
    private(set) var syncs: [String: ContentSync] = [:]
    private var hasHeardStream = false
    private var isStopped = false
    /// The last problem by resource; a problem that persists is reported once.
    private var problems: [String: String] = [:]
    private var shown = DashboardContent()

    /// - Parameters:
    ///   - configuration: the servers and the folder. The shipped resources are added.
    ///   - hasScenarios: whether scenario files are content too; true with a barricade that plays them.
    ///   - forgets: whether ``stop()`` deletes the folder with the fetched resources.
    init(_ configuration: CloudBoxConfiguration, hasScenarios: Bool, forgets: Bool = false) {
        self.forgets = forgets
        var configuration = configuration
        let shipped = ShippedContent.files.filter { hasScenarios || !ShippedContent.scenarioNames.contains($0.name) }
        configuration.bundled = .embedded(
            shipped.reduce(into: [:]) { $0[$1.name] = BundledResource(version: ShippedContent.version, data: $1.data) }
        )
        box = CloudBoxClient(configuration)
        names = shipped.map(\.name)
    }

    private func register(_ name: String) {
        do {
            try box.register(name, limit: ShippedContent.limit(of: name))
            try box.setDeserializer(for: name) { data in try Self.read(name, data) }
        } catch {
            send(.problem("\(error)"))
        }
    }

    /// Parses a resource by its name.
    private nonisolated static func read(_ name: String, _ data: Data) throws -> any Sendable {
        var content = DashboardContent()
        switch name {
        case ShippedContent.dashboardName: try content.read(dashboard: data)
        case ShippedContent.helpName: try content.read(help: data)
        default: return try ScenarioFile(json: data, file: name)
        }
        return content
    }

    // MARK: Running

    /// Reports the current content, and from then on every change.
    ///
    /// Work that the first frame does not need follows in a later turn: the digests of the shipped resources, and the
    /// scenario files, whose shipped versions the barricade already has.
    /// - Parameter onScenarios: receives all scenario files merged into one, for a barricade.
    func start(
        onScenarios: @escaping @MainActor (ScenarioFile) -> Void, send: @escaping @MainActor (DashboardMessage) -> Void
    ) {
        (self.onScenarios, self.send) = (onScenarios, send)
        for name in names { register(name) }
        sendContent()
        send(rows { name in try box.knownFacts(for: name) })
        let (updates, progress) = (box.updates, box.progress)
        watchers = [
            Task { [weak self] in
                self?.sendScenarios()
                self?.sendRows()
            },
            Task { [weak self] in
                for await update in updates { self?.adopt(update) }
            },
            Task { [weak self] in
                for await _ in progress { self?.sendRows() }
            },
        ]
    }

    /// Fetches newer versions of one resource, or of all.
    /// - Parameter isAsked: whether the user requested it; only then is a missing server reported.
    func sync(_ name: String? = nil, isAsked: Bool = false) {
        guard !box.configuration.servers.isEmpty else {
            if isAsked { send(.notice("no content server is configured; give one with --content-server")) }
            return
        }
        for name in name.map({ [$0] }) ?? names { start(name, isAsked: isAsked) }
    }

    /// Fetches newer versions now, and then at an interval.
    func sync(every interval: Duration, clock: any ManagerClock) {
        sync()
        // Varied by up to 10 %, so that many clients do not ask simultaneously.
        timer = clock.schedule(after: interval * Double.random(in: 0.9...1.1)) { [weak self] in
            self?.sync(every: interval, clock: clock)
        }
    }

    /// Fetches a version that a server announced. Ignores unknown resources and versions that are not newer than the
    /// current one.
    func follow(_ notice: ResourceNotice) {
        guard names.contains(notice.name), !box.configuration.servers.isEmpty, notice.version > version(of: notice.name)
        else { return }
        syncs[notice.name, default: ContentSync()].recordAnnouncement(of: notice.version)
        start(notice.name, isFollowing: true)
    }

    /// Syncs all resources when the stream opens again, because announcements are lost while it is down.
    func streamOpened() {
        if hasHeardStream { sync() }
        hasHeardStream = true
    }

    func stop() {
        isStopped = true
        timer?.cancel()
        for task in watchers + syncs.values.compactMap(\.task) { task.cancel() }
        box.cancelSyncs()
        guard forgets else { return }
        waitForSyncs()
        try? FileManager.default.removeItem(at: box.configuration.folder)
    }

    /// Waits up to one second for running syncs to end: a sync that still writes would create the folder again.
    private func waitForSyncs() {
        let isOver = Latch()
        Task.detached { [box] in
            await box.cancelSyncsAndWait()
            isOver.open()
        }
        isOver.wait(atMost: .seconds(1))
    }

    // MARK: One sync of each resource at a time

    /// Starts a sync of a resource. If one is running, another one follows it.
    private func start(_ name: String, isAsked: Bool = false, isFollowing: Bool = false) {
        guard !isStopped else { return }
        var sync = syncs[name] ?? ContentSync()
        sync.isAsked = sync.isAsked || isAsked
        if sync.task != nil {
            sync.isWantedAgain = sync.isWantedAgain || !isFollowing
        } else {
            let pause = isFollowing ? sync.pause(at: .now) : .zero
            sync.task = Task { [weak self, box] in
                if pause > .zero { try? await Task.sleep(for: pause) }
                guard !Task.isCancelled else { return }
                let outcome = await box.sync(name)
                self?.finish(name, with: outcome)
            }
        }
        syncs[name] = sync
    }

    private func version(of name: String) -> Int64 { (try? box.facts(for: name))?.version ?? -1 }

    // MARK: Results

    private func adopt(_ update: ResourceUpdate) {
        problems[update.name] = nil
        sendContent()
        sendScenarios()
        sendRows()
        send(.contentChanged("\(update.name) v\(update.version), \(ClockText.bytes(update.data.count))"))
    }

    private func finish(_ name: String, with outcome: SyncOutcome) {
        let isAsked = syncs[name]?.isAsked ?? false
        let isBehind = syncs[name]?.end(at: version(of: name)) ?? false
        defer { if isBehind { start(name, isFollowing: true) } }
        sendRows()
        switch outcome {
        case .failed(let error) where !error.isNotPublished:
            let text = "\(error)"
            if isAsked || problems[name] != text { send(.problem(text)) }
            problems[name] = text
            return
        case .failed: if isAsked { send(.notice("\(name): not published; the present version stays")) }
        case .unchanged:
            // Said once for all, when the last sync has ended. A newer version or a problem says so itself.
            if isAsked, !syncs.values.contains(where: \.isAsked) { send(.notice("the content is current")) }
        case .updated, .busyElsewhere: break
        }
        problems[name] = nil
    }

    private func sendContent() {
        if let dashboard: DashboardContent = try? box.object(for: ShippedContent.dashboardName) {
            (shown.title, shown.links, shown.hidden) = (dashboard.title, dashboard.links, dashboard.hidden)
        }
        if let help: DashboardContent = try? box.object(for: ShippedContent.helpName) { shown.help = help.help }
        send(.content(shown))
    }

    private func sendScenarios() {
        var all = ScenarioFile()
        let files = names.filter { ShippedContent.scenarioNames.contains($0) }
        guard !files.isEmpty else { return }
        for name in files {
            if let file: ScenarioFile = try? box.object(for: name) { all.merge(file) }
        }
        onScenarios(all)
    }

    private func sendRows() {
        send(rows { name in try box.facts(for: name) })
    }

    private func rows(_ facts: (String) throws -> ResourceFacts) -> DashboardMessage {
        .resources(names.compactMap { name in (try? facts(name)).map { ResourceRow($0) } })
    }
}

extension ResourceRow {
    init(_ facts: ResourceFacts) {
        self.init(
            name: facts.name, version: facts.version.map(String.init), origin: facts.origin,
            size: facts.size.map { Int(clamping: $0) }, digest: facts.digest?.hex
        )
        switch facts.progress.state {
        case .waiting, .asking: activity = .checking
        case .receiving, .installing: activity = .receiving(facts.progress.fraction)
        case .idle, .updated, .unchanged, .failed:
            if case .failed(let error)? = facts.lastSync?.outcome, !error.isNotPublished {
                activity = .problem("kept; \(Self.text(of: error.reason))")
            }
        }
    }

    /// The reason in one line; if several servers failed, that of the first one.
    private static func text(of reason: CloudBoxError.Reason) -> String {
        if case .allServersFailed(let attempts) = reason, let first = attempts.first { return text(of: first.reason) }
        if case .digestMismatch = reason { return "damaged on its way" }
        return TextSanitizer.sanitize("\(reason)", keepingNewlines: false, limit: 200)
    }
}
