import Bellerophon
import BellerophonBase
import TerminalUI

/// The details page: the known facts of the status, its source and the last checks.
enum DetailsPage {
    static func lines(_ content: OverlayContent, face: OverlayTheme, columns: Int) -> [TextLine] {
        Table.lines(rows(content, face: face), columns: columns) + answerText(content, columns: columns)
    }

    typealias Row = (label: String, text: TextLine.Span)

    /// The facts with their labels, without the reply's body. A row without a label continues the one above it.
    static func rows(_ content: OverlayContent, face: OverlayTheme) -> [Row] {
        let first = state(content, face) + plan(content) + localStop(content) + tree(content)
        return (first + facts(content) + checks(content) + remarks(content)).map { row in
            (row.label, .init(content.presentation.glyphs.text(row.text.text), row.text.style))
        }
    }

    /// The start of the reply's body as received, with a line that says whose text it is; empty without one.
    static func excerpt(_ content: OverlayContent) -> [String] {
        guard let excerpt = content.lastAnswer?.metadata?.excerpt, !excerpt.isEmpty else { return [] }
        return ["reply from \(content.host):"] + excerpt.split(separator: "\n").map(String.init)
    }

    private static func state(_ content: OverlayContent, _ face: OverlayTheme) -> [Row] {
        [
            ("state", .init("\(face.glyph) \(face.detailWord)", face.style)),
            content.since.map { ("since", .init(content.timeText($0))) },
            content.isStoppedLocally ? nil : OverlayWords.arrival(content).map { ("", .init($0, Theme.muted)) },
        ].compactMap(\.self)
    }

    /// Why the view is there, when it goes by itself, and what comes next, if the status has a plan.
    private static func plan(_ content: OverlayContent) -> [Row] {
        guard let plan = content.plan, !content.isStoppedLocally else { return [] }
        let notices: [Row] = plan.notices.enumerated().map { index, notice in
            (index == 0 ? "notices" : "", .init(notice.text(content.planText)))
        }
        return [
            ("why", .init(plan.reason)),
            content.endText.map { (content.stage == .killed ? "back at" : "until", .init($0)) },
            plan.nextText(content.planText).map { ("next change", .init($0)) },
        ].compactMap(\.self) + notices
    }

    private static func facts(_ content: OverlayContent) -> [Row] {
        let origin = content.app.version == nil ? nil : content.app.versionOrigin.map { "(\($0))" }
        let app = [content.app.name, content.app.version, origin].compactMap(\.self).joined(separator: " ")
        let said: [Row] = content.facts.all(.detail).map { fact in
            let style = fact.field.form == .webAddress ? Theme.link.linked(to: fact.value) : Theme.text
            return (fact.field.label(in: .details), .init(fact.text(installed: content.app.version), style))
        }
        let known: [Row] = [
            ("source", .init(content.source)),
            OverlayWords.basis(content.standing, .english).map { ("based on", .init($0)) },
            content.standing.proof.map { ("signed", .init("by \($0.keyID.prefix(16)), serial \($0.serial)")) },
            content.standing.proof.map { ("", .init("until \(content.timeText($0.expiresAt))", Theme.muted)) },
            OverlayWords.staleness(content.standing, .english).map { ("", .init($0, Theme.warning)) },
            OverlayWords.clock(content.standing, .english).map { ("", .init($0, Theme.warning)) },
            content.standing.security == .plain
                ? ("transport", .init("! plain http: replies can be changed in transit", Theme.warning)) : nil,
            content.isSimulated ? ("", .init("simulated: a barricade replies in the server's place", Theme.warning)) : nil,
        ].compactMap(\.self)
        return [("app", .init(app))] + said + known
    }

    /// The processes of a program in another terminal, and what holds them.
    private static func tree(_ content: OverlayContent) -> [Row] {
        guard let tree = content.tree else { return [] }
        return [
            ("processes", .init("\(tree.processes), held by \(tree.means)")),
            tree.pausedSince.map { ("stopped", .init("since \(content.timeText($0))")) },
            tree.notHeld.isEmpty ? nil : ("not held", .init(tree.notHeld.joined(separator: ", "), Theme.warning)),
        ].compactMap(\.self)
    }

    /// The stop on this machine: who, why, since when, and how it is released.
    private static func localStop(_ content: OverlayContent) -> [Row] {
        guard let stop = content.localStop else { return [] }
        return [
            (
                "stopped here",
                .init("by \(OverlayWords.author(stop, .english)), since \(content.timeText(stop.since))", Theme.warning)
            ),
            ("", .init(stop.reason ?? "without a reason")),
            ("", .init("release it with \(stop.release)", Theme.muted)),
            content.isStoppedLocally ? ("service", .init("does not stop the program")) : nil,
        ].compactMap(\.self)
    }

    private static func checks(_ content: OverlayContent) -> [Row] {
        let next =
            content.countdown.map {
                "in \(ClockText.countdown($0.remaining)) of \(ClockText.countdown($0.total))"
            } ?? (content.isListening ? "none needed, the server pushes" : "under way")
        let failures = content.failures == 0 ? "none" : "\(content.failures) consecutive"
        return [
            ("attempts", .init("\(content.attempt)")),
            ("next check", .init(next)),
            content.interval.map { ("interval", .init(OverlayWords.interval($0), $0.clamp == nil ? Theme.text : Theme.warning)) },
            ("failures", .init(failures, content.failures == 0 ? Theme.text : Theme.warning)),
            (content.failureDetail ?? content.failure).map { ("", .init($0, Theme.warning)) },
        ].compactMap(\.self) + lastAnswer(content)
    }

    private static func lastAnswer(_ content: OverlayContent) -> [Row] {
        guard let answer = content.lastAnswer else {
            return [("last reply", .init("none yet; the last known status applies"))]
        }
        let time: Row = ("last reply", .init("\(content.timeText(answer.date)), \(answer.age.briefText) ago"))
        guard let metadata = answer.metadata else { return [time, ("", .init("from the app's own status code", Theme.muted))] }
        let size: Row = ("size", .init("\(metadata.bytes) \(metadata.bytes == 1 ? "byte" : "bytes")"))
        if metadata.isPushed { return [time, ("", .init("pushed over the stream", Theme.muted)), size] }
        let status = metadata.httpStatus.map(String.init) ?? "none"
        return [
            time,
            ("HTTP status", .init(metadata.isNotModified ? "\(status), not modified" : status)),
            ("latency", .init(metadata.latency.briefText)),
            size,
            metadata.retryAfter.map { ("Retry-After", .init(OverlayWords.seconds($0.inSeconds))) },
        ].compactMap(\.self)
    }

    private static func remarks(_ content: OverlayContent) -> [Row] {
        content.remarks.enumerated().map { index, remark in
            (index == 0 ? "remarks" : "", .init(remark, Theme.warning))
        }
    }

    /// The start of the reply's body as received, between rules that mark it as the server's text.
    private static func answerText(_ content: OverlayContent, columns: Int) -> [TextLine] {
        guard let excerpt = content.lastAnswer?.metadata?.excerpt, !excerpt.isEmpty, columns > 0 else { return [] }
        let label = CellText.truncate("── reply from \(content.host) ", columns: columns)
        let upper = label + String(repeating: "─", count: max(0, columns - CellText.width(of: label)))
        return [.empty, TextLine(upper, Theme.rule)]
            + TextLine.wrapped(excerpt, columns: max(1, columns - 4)).map { TextLine("  ") + $0 }
            + [TextLine(String(repeating: "─", count: columns), Theme.rule)]
    }
}
