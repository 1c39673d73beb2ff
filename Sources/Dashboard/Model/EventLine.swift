import Bellerophon
import Foundation
import TerminalUI

/// An event as one line of the log: time, glyph and words.
struct EventLine: Equatable {
    let time: String
    let glyph: String
    let words: String
    /// The glyph's and a heading's colour.
    let style: Style

    /// The line as it is searched and copied.
    var text: String { "\(time) \(glyph) \(words)" }

    init(_ event: EventRecord, in zone: TimeZone) {
        time = ClockText.time(event.date, in: zone)
        (glyph, words, style) = Self.parts(event.kind)
    }

    private static func parts(_ kind: EventRecord.Kind) -> (glyph: String, words: String, style: Style) {
        switch kind {
        case .answer(let reply): ("✓", answer(reply), StageLook(reply.document.stage).style)
        case .failure(let error, let kept, _): ("×", failure(error, kept), Theme.warning)
        case .transition(let transition): change(transition)
        case .clamp(let clamp):
            ("!", "interval \(ClockText.requested(clamp.requested)) → \(clamp.used.briefText)", Theme.warning)
        case .remark(let text): ("!", text, Theme.warning)
        case .message(let message): ("i", message.map { "message: \(firstLine(of: $0))" } ?? "message taken back", Theme.accent)
        case .asked(let cause): ("·", asked(cause), Theme.muted)
        case .alreadyPending: ("·", "a check was under way already", Theme.muted)
        case .replyDropped: ("·", "late reply dropped", Theme.muted)
        case .scenario(_, let response): ("»", "scenario: \(response)", Theme.accent)
        case .content(let text): ("↓", text, Theme.accent)
        case .timeline(let text): ("▶", text, Theme.accent)
        }
    }

    /// `200   41 ms   78 B  live`, in columns that stand under each other.
    private static func answer(_ reply: StatusReply) -> String {
        let word = StageLook(reply.document.stage).word
        guard let receipt = reply.receipt else { return "status given  \(word)" }
        let code = receipt.httpStatus.map(String.init) ?? "—"
        let latency = CellText.padded(ClockText.latency(receipt.latency), columns: 6, alignment: .right)
        let bytes = CellText.padded(ClockText.bytes(receipt.bytes), columns: 6, alignment: .right)
        return "\(code) \(latency) \(bytes)  \(word)"
    }

    private static func failure(_ error: StatusError, _ kept: Stage) -> String {
        let state = kept == .unknown ? "still unknown" : "still \(StageLook(kept).word)"
        return "\(error.shortText), \(state)"
    }

    private static func change(_ transition: Transition) -> (String, String, Style) {
        let from = StageLook(before: transition), to = StageLook(transition.to)
        let lasted = transition.lasted.map { " after \(ClockText.compact($0))" } ?? ""
        return (to.glyph, "\(from.word) → \(to.word)\(lasted)", to.style)
    }

    private static func asked(_ cause: CheckCause) -> String {
        switch cause {
        case .start: "first check"
        case .timer: "check on time"
        case .person: "check asked for"
        case .resumed: "check after a break"
        case .updated: "check after an update"
        case .program: "check asked for by the app"
        }
    }

    private static func firstLine(of text: String) -> String {
        text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    }
}
