import BellerophonBase
package import Foundation
package import StatusModel

/// Decides which notice a person sees, for how long, and when to decide again. It has no clock.
///
/// - A notice of the level `info` and an offer are shown for 15 s, once a day, and then go.
/// - A notice of the level `warn` is shown for 30 s in each run, and then as one cell.
/// - An announced rule is shown for 15 s when it is announced, for 15 s when it begins within 15 minutes, and all the time when it
///   begins within 5 minutes. A program that starts later shows the present step only.
/// - One notice is shown at a time, the most important first. A notice that was interrupted gets the rest of its time afterwards.
package struct NoticeMachine: Equatable, Sendable {
    /// What the decision depends on, apart from what was seen.
    package struct Input: Sendable {
        /// The notices that count for the person, who may want no offers, or may have the version that a rule names; the most
        /// important first.
        package let counting: [Verdict.Notice]
        /// The ids of all rules of the status; nil if no status is known.
        package let rules: Set<String>?
        /// The time by which phases of rules begin. It may jump.
        package let date: Date

        /// - Parameter version: the installed version; nil if it is not known.
        package init(_ verdict: Verdict?, of document: StatusDocument?, date: Date, version: String?, showsOffers: Bool = true) {
            counting = (verdict?.notices ?? []).filter { notice in
                let effect = notice.rule.effect
                if effect == .offer, !showsOffers { return false }
                guard effect == .offer || effect == .update, let named = notice.rule.version, let version else { return true }
                if UpdateRequirement.isSame(named, version) { return false }
                // An update may require an older version; an offer never does.
                guard effect == .offer, let to = AppVersion(named), let installed = AppVersion(version) else { return true }
                return installed < to
            }
            rules = document?.ruleIDs
            self.date = date
        }
    }

    /// What is shown.
    package struct Showing: Equatable, Sendable {
        package var notice: Verdict.Notice
        package var form: OverlayNotice.Form
        /// The number of notices that wait behind this one.
        package var others: Int
        /// The time by which the words say how long it is until the rule begins. It moves by whole minutes, and by seconds in the
        /// last minute, so that the words do too; nil for a rule that holds.
        package var date: Date?
    }

    /// What the person has seen or dismissed, in this run and earlier ones.
    package private(set) var seen: [SeenNotice] = []
    /// How long each notice was shown as a line in this run.
    private var times: [SeenNotice.Key: Duration] = [:]
    /// The notice that is shown, and since when ``times`` does not count it yet.
    private var current: Current?

    private struct Current: Equatable {
        var key: SeenNotice.Key
        var form: OverlayNotice.Form
        var since: MonotonicInstant
    }

    private static let soon: TimeInterval = 15 * 60
    private static let imminent: TimeInterval = 5 * 60
    private static let day: TimeInterval = 86_400

    package init() {}

    /// Takes what earlier runs have shown.
    package mutating func restore(_ earlier: [SeenNotice]) {
        for entry in earlier { seen.add(entry) }
    }

    /// Decides what is shown now, and when to decide again if nothing else happens; nil for nothing and for never.
    package mutating func decide(_ input: Input, at now: MonotonicInstant) -> (showing: Showing?, wait: Duration?) {
        count(until: now)
        let candidates = input.counting.map { (notice: $0, key: key(of: $0, at: input.date)) }
        let open = candidates.filter { !isDismissed($0.key) }
        let lines = open.filter { wantsLine($0.key, at: input.date) }
        var showing: Showing?
        if let first = lines.first {
            begin(first.key, .line, input.date, now)
            showing = line(first.notice, others: lines.count - 1, at: input.date)
        } else if let mark = open.first(where: { $0.key.step == .warned }) {
            begin(mark.key, .mark, input.date, now)
            let others = open.count { $0.key.step == .warned } - 1
            showing = Showing(notice: mark.notice, form: .mark, others: others, date: nil)
        } else {
            current = nil
        }
        let wait = wait(for: candidates, of: showing, at: input.date)
        if let rules = input.rules {
            seen = seen.kept(for: rules)
            times = times.filter { rules.contains($0.key.id) }
        }
        return (showing, wait)
    }

    /// Decides what a program without a screen tells, each in a line: what would be shown as a line now, and was not told in this
    /// run.
    package mutating func announce(_ input: Input, at now: MonotonicInstant) -> [Showing] {
        let untold = input.counting.map { (notice: $0, key: key(of: $0, at: input.date)) }
            .filter { times[$0.key] == nil && !isDismissed($0.key) && wantsLine($0.key, at: input.date) }
        for (_, key) in untold {
            begin(key, .line, input.date, now)
            times[key] = Self.lineTime(key.step) ?? .zero
        }
        current = nil
        return untold.map { line($0.notice, others: 0, at: input.date) }
    }

    private func line(_ notice: Verdict.Notice, others: Int, at date: Date) -> Showing {
        let date = notice.phase == .announced ? wordsDate(of: notice.rule, at: date) : nil
        return Showing(notice: notice, form: .line, others: others, date: date)
    }

    /// Dismisses the notice that is shown. It does not come back before it gets more urgent, its rule begins at another time or
    /// names another version.
    /// - Returns: false if none is shown.
    package mutating func dismiss(date: Date, at now: MonotonicInstant) -> Bool {
        count(until: now)
        guard let current else { return false }
        seen.add(SeenNotice(key: current.key, date: date, isDismissed: true))
        self.current = nil
        return true
    }

    // MARK: The steps of a notice

    private func key(of notice: Verdict.Notice, at date: Date) -> SeenNotice.Key {
        let rule = notice.rule
        guard notice.phase == .announced else {
            let isWarning = rule.effect == .notice && rule.level == .warn
            return SeenNotice.Key(id: rule.id, step: isWarning ? .warned : .told, to: rule.version)
        }
        let left = rule.from.map { $0.timeIntervalSince(date) } ?? .infinity
        let step: SeenNotice.Step = left <= Self.imminent ? .imminent : left <= Self.soon ? .soon : .announced
        return SeenNotice.Key(id: rule.id, step: step, to: rule.version, from: rule.from)
    }

    private func isDismissed(_ key: SeenNotice.Key) -> Bool { seen.contains { $0.key == key && $0.isDismissed == true } }

    /// How long the notice is shown as a line; nil for as long as its step lasts.
    private static func lineTime(_ step: SeenNotice.Step) -> Duration? {
        switch step {
        case .announced, .soon, .told: .seconds(15)
        case .warned: .seconds(30)
        case .imminent: nil
        }
    }

    private func wantsLine(_ key: SeenNotice.Key, at date: Date) -> Bool {
        guard let limit = Self.lineTime(key.step) else { return true }
        if let time = times[key], time < limit { return true }
        switch key.step {
        case .told: return untilNextDay(key, at: date) == nil
        case .warned, .imminent: return times[key] == nil
        case .announced, .soon: return times[key] == nil && !seen.contains { $0.key == key }
        }
    }

    /// The seconds until a notice that is shown once a day may be shown again; nil if it may be shown now.
    ///
    /// A clock that was set back must not silence a notice for longer than a day.
    private func untilNextDay(_ key: SeenNotice.Key, at date: Date) -> TimeInterval? {
        let last = seen.filter { $0.key.id == key.id && $0.key.step == key.step }.map(\.date).max()
        guard let age = last.map({ date.timeIntervalSince($0) }), abs(age) < Self.day else { return nil }
        return Self.day - age
    }

    // MARK: The time on the screen

    private mutating func count(until now: MonotonicInstant) {
        guard let current else { return }
        if current.form == .line { times[current.key, default: .zero] += max(.zero, current.since.duration(to: now)) }
        self.current?.since = now
    }

    private mutating func begin(_ key: SeenNotice.Key, _ form: OverlayNotice.Form, _ date: Date, _ now: MonotonicInstant) {
        current = Current(key: key, form: form, since: now)
        guard form == .line else { return }
        if let time = times[key], Self.lineTime(key.step).map({ time < $0 }) ?? true { return }
        times[key] = .zero
        guard key.step != .warned, key.step != .imminent else { return }
        // A clock that was set back leaves no entry from the future.
        if key.step == .told { seen.removeAll { $0.key == key } }
        seen.add(SeenNotice(key: key, date: date))
    }

    // MARK: The next decision

    private func wait(
        for notices: [(notice: Verdict.Notice, key: SeenNotice.Key)], of showing: Showing?, at date: Date
    ) -> Duration? {
        var waits: [Duration?] = []
        if let current, current.form == .line, let limit = Self.lineTime(current.key.step) {
            waits.append(limit - (times[current.key] ?? .zero))
        }
        if let showing, let shown = showing.date {
            // The words change when less than a whole minute or second more is left.
            let left = showing.notice.rule.from.map { $0.timeIntervalSince(shown) } ?? 0
            waits.append(.seconds(shown.timeIntervalSince(date) + (left > 60 ? 60 : 1)))
        }
        waits += notices.map { notice, key in
            let left = notice.rule.from.map { $0.timeIntervalSince(date) }
            return switch key.step {
            case .announced: left.map { .seconds($0 - Self.soon) }
            case .soon: left.map { .seconds($0 - Self.imminent) }
            case .told: isDismissed(key) ? nil : untilNextDay(key, at: date).map { .seconds($0) }
            case .imminent, .warned: nil
            }
        }
        // A timer of a month would not notice a clock that is corrected. A timer may fire a little too early.
        return waits.compactMap(\.self).min().map { min(max($0, .milliseconds(1)), .seconds(Self.day)) }
    }

    /// The present time, moved back so that the rest until the rule begins is a whole number of minutes, or of seconds in the last
    /// minute.
    private func wordsDate(of rule: Rule, at date: Date) -> Date? {
        guard let from = rule.from else { return nil }
        let left = max(0, from.timeIntervalSince(date))
        let unit: TimeInterval = left > 60 ? 60 : 1
        return from.addingTimeInterval(-(left / unit).rounded(.up) * unit)
    }
}
