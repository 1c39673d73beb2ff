import BellerophonBase
import Foundation
import SafeText
import StatusModel

/// The notice in words, in the person's language.
extension OverlayNotice {
    /// The notice in one line, the longest text first.
    package var texts: [String] {
        let message = message.map { TextSanitizer.sanitize($0, keepingNewlines: false) }
        let lead = phase == .announced ? subject.map { "\($0)\(wait), \(time)" } ?? time : subject
        let whole = [lead, message ?? (subject == nil ? rule.id : nil)].compactMap(\.self).joined(separator: ": ")
        guard let subject, let lead else { return [whole + behind] }
        return [whole, lead, phase == .announced ? subject + wait : subject].map { $0 + behind }
    }

    /// The number of notices that wait behind this one: ` +2`.
    package var behind: String { others > 0 ? " +\(others)" : "" }

    /// ` in 14 min`; empty without the present time.
    private var wait: String {
        guard let from = rule.from, let date else { return "" }
        return phrases.notices.inTime.with(["time": Duration.seconds(from.timeIntervalSince(date)).waitText])
    }

    /// `23:00–00:30`. The end has a date only if it is far from the beginning.
    private var time: String {
        let (from, until, now) = (rule.from?.atFullMinute, rule.until?.atFullMinute, date?.atFullMinute)
        return [from.map { ($0, now) }, until.map { ($0, now == nil ? nil : from ?? now) }].compactMap(\.self)
            .map { PlanTime.text($0.0, now: $0.1, in: timeZone) }.joined(separator: "–")
    }

    /// What the rule is about; nil for a notice.
    private var subject: String? {
        let words = phrases.notices
        func named(_ phrase: String) -> String? { rule.version.map { phrase.with(["version": $0]) } }
        switch rule.effect {
        case .notice: return nil
        case .offer: return named(words.available) ?? words.newerAvailable
        case .pause: return words.maintenance
        case .update: return named(phrases.update.required) ?? words.updateRequired
        }
    }
}

extension Date {
    /// The time without its seconds.
    fileprivate var atFullMinute: Date { Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.down) * 60) }
}
