package import Bellerophon
import BellerophonBase
import Foundation
import StatusModel
package import TerminalUI

/// The words of a notice.
package enum NoticeWords {
    static let mark = "▲"

    /// The notice in one line, the longest text first.
    package static func texts(_ notice: OverlayNotice) -> [String] {
        let message = notice.message.map { TextSanitizer.sanitize($0, keepingNewlines: false) }
        let parts = [notice.phase == .announced ? announcement(notice) : subject(notice), message].compactMap(\.self)
        let behind = notice.others > 0 ? " +\(notice.others)" : ""
        let whole = parts.joined(separator: ": ")
        return [whole + behind, (parts.first ?? notice.rule.id) + behind, notice.rule.id + behind]
    }

    /// The rows of the notice over a program's screen of this size.
    package static func banner(_ notice: OverlayNotice, size: Size) -> Banner {
        guard notice.form == .line else { return Banner([TextLine(mark, style(notice))]) }
        let columns = size.columns < 40 ? size.columns : size.columns * 6 / 10
        let texts = texts(notice).map { " \(mark) \($0) " }
        let text = texts.first { CellText.width(of: $0) <= columns } ?? CellText.truncate(texts.first ?? "", columns: columns)
        return Banner([TextLine(text, style(notice))])
    }

    private static func style(_ notice: OverlayNotice) -> Style { Theme.text.with(.reverse) }

    /// `Maintenance in 14 min, 23:00–00:30`, `1.5.2 is required in 14 min, 23:00`.
    private static func announcement(_ notice: OverlayNotice) -> String {
        let time = [notice.rule.from, notice.rule.until].compactMap(\.self)
            .map { PlanTime.text($0, now: notice.date, in: notice.timeZone) }.joined(separator: "–")
        let wait = notice.rule.from.flatMap { from in
            notice.date.map { now in
                notice.phrases.notices.inTime.with(["time": Duration.seconds(max(0, from.timeIntervalSince(now))).briefText])
            }
        }
        return "\(subject(notice) ?? notice.rule.id)\(wait ?? ""), \(time)"
    }

    /// What the rule is about; nil for a notice.
    private static func subject(_ notice: OverlayNotice) -> String? {
        let version = notice.rule.version
        let words = notice.phrases.notices
        func named(_ phrase: String) -> String? { version.map { phrase.with(["version": $0]) } }
        switch notice.rule.effect {
        case .notice: return nil
        case .offer: return named(words.available) ?? words.newerAvailable
        case .pause: return words.maintenance
        case .update: return named(words.required) ?? words.updateRequired
        }
    }
}
