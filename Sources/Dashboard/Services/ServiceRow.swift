import Bellerophon
import ProgramKit
import TerminalUI

/// What the list of services shows of one of them.
package struct ServiceRow: Equatable, Sendable {
    let name: String
    let stage: Stage
    let look: StageLook
    /// How long the state has lasted; empty before the first status.
    let since: String
    /// The age of what is known, or the failures: `6s`, `! ×3`.
    let freshness: TextLine.Span
    /// The latency of the last check that was answered; empty if there is none.
    let latency: String
    /// The message of a paused service, or why checks fail; empty if there is nothing to say.
    let remark: TextLine.Span
}

extension ServiceModel {
    /// The service in the list of all.
    package func row(at now: MonotonicInstant, glyphs: GlyphStyle = .unicode) -> ServiceRow {
        ServiceRow(
            name: app.name, stage: machine.stage, look: StageLook(of: machine),
            since: machine.stageSince.map { ClockText.compact($0.duration(to: now)) } ?? "",
            freshness: freshness(at: now, glyphs), latency: lastLatency, remark: remark)
    }

    private func freshness(at now: MonotonicInstant, _ glyphs: GlyphStyle) -> TextLine.Span {
        if machine.failures > 0 { return .init("! ×\(machine.failures)", Theme.warning) }
        if case .live(_, let lastHeard)? = stream?.state {
            return .init("\(glyphs.text(StreamLook.glyph)) \(ClockText.compact(lastHeard.duration(to: now)))", Theme.live)
        }
        guard let replied = machine.lastReplyAt else { return .init("—", Theme.muted) }
        let isOld = machine.isStale(at: now)
        return .init((isOld ? "! " : "") + ClockText.compact(replied.duration(to: now)), isOld ? Theme.warning : Theme.text)
    }

    private var lastLatency: String {
        // While statuses are pushed, the last check tells how far away the server is.
        history.samples.compactMap(\.self).last.map { ClockText.latency($0) } ?? ""
    }

    private var remark: TextLine.Span {
        if let failure = machine.failure { return .init(failure.shortText, Theme.warning) }
        guard machine.stage.isBlocked, let message = machine.facts[.message] else { return .init("") }
        return .init(TextSanitizer.sanitize(message, keepingNewlines: false))
    }
}

/// All services of a program that watches several, and which one is open.
package struct ServiceList: Equatable, Sendable {
    package var rows: [ServiceRow] = []
    /// The index of the open service.
    package var opened = 0

    package var isEmpty: Bool { rows.isEmpty }

    /// The services in each state, the blocked states first: `■ 1 paused`, `● 3 live`.
    var counts: [(look: StageLook, count: Int)] {
        [Stage.killed, .updateRequired, .unknown, .active].compactMap { stage in
            let count = rows.count { $0.stage == stage }
            return count > 0 ? (StageLook(stage), count) : nil
        }
    }

    /// The title of the terminal's window: the blocked services, so that it can be read while another window is in front.
    package var title: String {
        let blocked = rows.filter(\.stage.isBlocked)
        switch blocked.count {
        case 0: return "\(Stage.active.glyph) \(rows.count) services: none is blocked"
        case 1: return "\(blocked[0].stage.glyph) \(blocked[0].name): \(blocked[0].stage.title)"
        default:
            let isKill = blocked.contains { $0.stage == .killed }
            return "\((isKill ? Stage.killed : .updateRequired).glyph) \(blocked.count) of \(rows.count) services are blocked"
        }
    }
}
