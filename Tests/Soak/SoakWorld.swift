import Bellerophon
import BellerophonBase
import Dashboard
import Foundation
import TestSupport

/// An app, its machine, its server and its user, simulated for months from one seed.
///
/// Time advances from one call on the clock to the next; between two calls events happen at random. All invariants are
/// checked after every step.
@MainActor
final class SoakWorld {
    let seed: UInt64
    private let isAwake: Bool
    /// The last events, printed with a violation.
    private(set) var diary: [String] = []
    private var chance: SplitMix64
    private let folder: TestFolder
    private let store: SoakStore
    private let server: SoakServer
    private var process: SoakProcess
    private var model: DashboardModel
    private var report: SoakReport
    private var lived = Duration.zero
    private var slept = Duration.zero
    private var nextHappening = Duration.zero
    private var clockOffset = Duration.zero
    private var wakesAt: Duration?
    private var deeds = SoakDeeds()
    /// The date of the last accepted dated status, when it was last received, and whether an undated status has
    /// replaced it; and the same before the last reply.
    private var heard: (date: Date, at: MonotonicInstant, isReplaced: Bool)?
    private var heardBefore: (date: Date, at: MonotonicInstant, isReplaced: Bool)?
    /// The date restored at the start of this run, until another status was accepted.
    private var restoredDate: Date?

    /// By the server's clock, which is never changed.
    private static let beginning = Date(timeIntervalSince1970: 1_768_485_731)

    /// - Parameter isAwake: whether the machine never sleeps.
    init(seed: UInt64, isAwake: Bool) throws {
        (self.seed, self.isAwake) = (seed, isAwake)
        var chance = SplitMix64(seed: seed)
        folder = try TestFolder()
        store = SoakStore(folder: folder)
        server = SoakServer(at: Self.beginning, using: &chance)
        process = SoakProcess(date: Self.beginning, server: server, store: store, chance: SplitMix64(seed: chance.next()))
        model = DashboardModel(
            app: AppInfo(name: "soak", version: "1"), source: "soak/status", screen: ScreenModel(date: Self.beginning))
        report = SoakReport(seed: seed)
        self.chance = chance
        begin()
    }

    /// Simulates a number of days.
    /// - Parameter step: the step to stop at.
    /// - Throws: a ``Violation``.
    func live(days: Double, until step: Int? = nil) throws -> SoakReport {
        let end = Duration.seconds(days * 86_400)
        let warm = min(Duration.seconds(2 * 86_400), end / 2)
        var isWarm = false
        while lived < end, report.steps < step ?? .max {
            try takeStep()
            if !isWarm, lived >= warm {
                isWarm = true
                report.early = .now
            }
        }
        report.late = .now
        report.days = day
        report.awakeHours = (lived - slept).inSeconds / 3600
        return report
    }

    private var day: Double { lived.inSeconds / 86_400 }
    private var serverDate: Date { Self.beginning.addingTimeInterval(lived.inSeconds) }

    // MARK: A step

    private func takeStep() throws {
        report.steps += 1
        let before = process.manager.machine
        deeds = SoakDeeds()
        if let next = process.clock.pendingWaits.first, lived + next < nextHappening {
            lived += next
            process.clock.advance(by: next)
        } else {
            let wait = max(.zero, nextHappening - lived)
            lived += wait
            // No call is due before this time.
            process.clock.advance(by: wait)
            happen()
        }
        let manager = process.manager
        let invariants = SoakInvariants(before: before, machine: manager.machine, deeds: deeds, process: process, model: model)
        if let broken = invariants.broken {
            throw Violation(
                seed: seed, step: report.steps, day: day, what: broken + "\n" + diary.suffix(12).joined(separator: "\n"))
        }
    }

    private func record(_ what: @autoclosure () -> String) {
        diary.append("step \(report.steps), \(process.clock.now.offset.inSeconds) s: \(what())")
        if diary.count > 80 { diary.removeFirst(40) }
    }

    // MARK: Reports of the app

    private func begin() {
        (heard, heardBefore) = (nil, nil)
        restoredDate = (try? store.load())?.publishedAt
        process.manager.onReport = { [weak self] in self?.receive($0) }
        process.onDelivery = { [weak self] in self?.delivered($0) }
        process.manager.checkAppStatus()
    }

    private func receive(_ event: StatusReport) {
        record("\(event)".prefix(160).description)
        switch event {
        case .checkSucceeded: report.checks += 1
        case .checkFailed:
            (report.checks, report.failedChecks) = (report.checks + 1, report.failedChecks + 1)
            deeds.failures += 1
        case .pushFailed: deeds.failures += 1
        case .pushed: report.pushes += 1
        case .stageChanged(let transition):
            report.transitions += 1
            deeds.transitions.append(transition)
        // The reply was not accepted, so it does not affect the order of others.
        case .replyOutdated, .pushOutdated: heard = heardBefore
        case .stale: deeds.isStale = true
        default: break
        }
        // The dashboard does the same before it draws.
        _ = model.handle(.clock(now: process.clock.now, date: process.clock.date))
        _ = model.handle(.status(process.manager.machine))
        _ = model.handle(.stream(process.manager.streamMachine))
        _ = model.handle(.report(event))
    }

    /// A reply arrives that may take effect, since a check or a stream waits for it.
    private func delivered(_ reply: StatusReply) {
        let (date, now) = (reply.metadata?.publishedAt, process.clock.now)
        let isOther = reply.document != process.manager.machine.document
        record("arrived \(reply.document.stage), of \(reply.metadata.map { "\($0.published)" } ?? "nowhere")")
        if let heard, isOlder(reply), heard.at.duration(to: now) < leastSilence(before: reply) {
            deeds.overtaken.append(reply.document)
        } else {
            deeds.delivered.append(reply.document)
            deeds.isNewestLast = mustCount(reply)
        }
        heardBefore = heard
        if let date {
            heard = (date, now, false)
        } else if let last = heard, last.isReplaced || isOther {
            heard = (last.date, now, true)
        }
    }

    /// Whether an accepted status is newer. After a dismissal any status may return, and an undated one may confirm the
    /// current one.
    private func isOlder(_ reply: StatusReply) -> Bool {
        guard let known = process.manager.machine.document, let heard else { return false }
        guard let date = reply.metadata?.publishedAt else { return reply.document != known && !heard.isReplaced }
        return date < heard.date || date == heard.date && heard.isReplaced && reply.document != known
    }

    /// How long the newest status must not have been received before an older one is accepted: a day, but two minutes
    /// for a status that covers the app or if the clocks contradict each other.
    private func leastSilence(before reply: StatusReply) -> Duration {
        let machine = process.manager.machine
        let wouldCover = reply.document.stage.isBlocked && !machine.stage.isBlocked
        let isReturning = reply.metadata?.publishedAt == heard?.date
        return wouldCover || isReturning || isDateMadeUp || clockOffset < .zero ? .seconds(119) : .seconds(86_000)
    }

    private var isDateMadeUp: Bool { heard.map { $0.date > server.newest.date } ?? false }

    /// Whether the status is the server's newest, and no accepted status claims to be newer or was received in the last
    /// two minutes.
    private func mustCount(_ reply: StatusReply) -> Bool {
        guard let date = reply.metadata?.publishedAt, date >= server.newest.date else { return false }
        guard let known = heard?.date ?? restoredDate, date <= known else { return true }
        guard let heard else { return false }
        let isReturning = date == known
        if isReturning, !heard.isReplaced { return true }
        return (isReturning || isDateMadeUp && clockOffset >= .zero) && heard.at.duration(to: process.clock.now) > .seconds(120)
    }

    // MARK: Random events

    private func happen() {
        let mood = server.mood
        let waits: [Duration] = [.seconds(1), .seconds(7), .seconds(30), .seconds(120), .seconds(600), .seconds(900)]
        let wait = waits.randomElement(using: &chance) ?? .seconds(60)
        nextHappening = lived + .seconds(wait.inSeconds * Double.random(in: 0.2...1, using: &chance))
        if let wakesAt, lived >= wakesAt { return resume() }
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<32: publish()
        case 32..<48: server.mood = SoakServer.Mood.allCases.randomElement(using: &chance) ?? .healthy
        case 48..<56: process.manager.check([.person, .program, .updated].randomElement(using: &chance) ?? .person)
        case 56..<60: dismiss()
        case 60..<64: give()
        case 64..<84: if !isAwake { sleep() }
        case 84..<88: suspend()
        case 88..<92: restart()
        case 92..<94: process.cut()
        case 94..<96: store.setFull(Int.random(in: 0..<3, using: &chance) == 0)
        case 96..<98: setClock()
        default: process.manager.resume()
        }
        if server.mood != mood { record("the server is \(server.mood)") }
    }

    private func publish() {
        server.publish(at: serverDate, using: &chance)
        let document = server.newest.entry.document
        record("published \(document.stage), every \(document.interval) s, at \(serverDate.timeIntervalSince1970)")
        process.push()
    }

    private func give() {
        guard let document = server.published.randomElement(using: &chance)?.entry.document else { return }
        record("given \(document.stage)")
        deeds.delivered.append(document)
        deeds.isNewestLast = false
        process.manager.updateDisplay(document)
    }

    private func dismiss() {
        record("dismissed")
        report.dismissals += process.manager.isDisplaying ? 1 : 0
        deeds.isDismissed = true
        process.manager.dismissKillSwitchIfNeeded()
    }

    /// Sets the wall clock to another day, up to ten years off.
    private func setClock() {
        let offset = Duration.seconds(Int.random(in: -315_360_000...315_360_000, using: &chance))
        process.clock.jumpWallClock(by: offset - clockOffset)
        clockOffset = offset
        record("the clock is \(offset) off")
    }

    private func suspend() {
        record("suspended")
        report.suspensions += 1
        process.manager.suspend()
        wakesAt = lived + .seconds(Int.random(in: 1...1800, using: &chance))
        nextHappening = min(nextHappening, wakesAt ?? nextHappening)
    }

    private func resume() {
        record("resumed")
        wakesAt = nil
        process.manager.resume()
    }

    /// The machine sleeps: the monotonic clock stops, the wall clock continues.
    private func sleep() {
        let span = Duration.seconds(Int.random(in: 1...40_000, using: &chance))
        record("slept \(span)")
        report.sleeps += 1
        process.clock.sleepMachine(for: span)
        lived += span
        slept += span
        nextHappening += span
        wakesAt = wakesAt.map { $0 + span }
    }

    /// Ends the process, orderly or not, and starts another with the stored record.
    private func restart() {
        record("restarted")
        report.restarts += 1
        deeds.isRestarted = true
        deeds.restored = (try? store.load())?.document(for: "1")
        if Bool.random(using: &chance) { process.manager.suspend() }
        process.die()
        let isGone = { [weak old = process.manager] in old == nil }
        let date = process.clock.date
        process = SoakProcess(date: date, server: server, store: store, chance: SplitMix64(seed: chance.next()))
        deeds.hasLeaked = !isGone()
        wakesAt = nil
        begin()
    }
}

/// The events of a step that may change the stage.
struct SoakDeeds {
    /// Documents that may take effect.
    var delivered: [StatusDocument] = []
    /// Documents that must not take effect: a newer status was received recently.
    var overtaken: [StatusDocument] = []
    /// Whether the last document that may take effect is the current status.
    var isNewestLast = false
    var isDismissed = false
    var isRestarted = false
    var restored: StatusDocument?
    var hasLeaked = false
    var transitions: [Transition] = []
    /// Whether the known status became stale.
    var isStale = false
    var failures = 0
}
