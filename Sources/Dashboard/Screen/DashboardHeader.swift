import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import TerminalUI

extension DashboardModel {
    /// A part of the header; the part with the lowest rank is dropped first.
    private struct Segment {
        let spans: [TextLine.Span]
        let rank: Int
        /// Whether it includes a space at both ends.
        var isBadge = false
        /// Whether it is the address of the status, which can be shortened.
        var isSource = false

        var width: Int { TextLine(spans).width }
    }

    /// Columns before the countdown.
    private static let gap = 3
    /// Parts of this rank and above are worth more than the countdown.
    private static let essentialRank = 8
    /// Below this number of columns, words are shortened.
    private static let tight = 36

    /// ` ● LIVE   example 1.4.0   demo.local/status   200 41 ms   next 00:09 ███████░░░`
    func drawHeader(in frame: inout Frame, _ rect: Rect) {
        let right = countdownSegments(columns: rect.columns)
        let gap = rect.columns < Self.tight ? 2 : Self.gap
        var segments = headerSegments(columns: rect.columns)
        let rightWidth = rightWidth(right, columns: rect.columns, beside: segments, gap: gap)
        let room = rect.columns - 1 - rightWidth - gap
        if addressProblem != nil { Self.drop(from: &segments, below: Self.essentialRank, room: room) }
        shortenSource(in: &segments, room: room)
        Self.drop(from: &segments, below: .max, room: room)
        let spans = segments.enumerated().flatMap { index, segment in
            [TextLine.Span(Self.space(before: index, in: segments))] + segment.spans
        }
        let used = frame.write(TextLine([.init(" ")] + spans), in: rect)
        guard rightWidth > 0, used + 2 + rightWidth <= rect.columns else { return }
        drawCountdown(right, in: &frame, rect.split(left: rect.columns - rightWidth).rest)
    }

    /// The width of the countdown with its bar. What is wrong with an address takes precedence over the bar, and over the
    /// countdown.
    private func rightWidth(_ right: [TextLine.Span], columns: Int, beside segments: [Segment], gap: Int) -> Int {
        guard !right.isEmpty else { return 0 }
        let words = TextLine(right).width
        let whole = words + barWidth(columns)
        guard addressProblem != nil else { return whole }
        let essential = Self.width(of: segments.filter { $0.rank >= Self.essentialRank })
        return [whole, words].first { essential <= columns - 1 - $0 - gap } ?? 0
    }

    /// Drops the parts of the lowest rank until the rest fits, or until only higher ranks are left.
    private static func drop(from segments: inout [Segment], below limit: Int, room: Int) {
        while segments.count > 1, width(of: segments) > room,
            let least = segments.indices.min(by: { segments[$0].rank < segments[$1].rank }), segments[least].rank < limit
        {
            segments.remove(at: least)
        }
    }

    /// Truncates a long source before it is dropped, to no less than 12 columns.
    private func shortenSource(in segments: inout [Segment], room: Int) {
        guard let index = segments.firstIndex(where: \.isSource) else { return }
        let columns = segments[index].width - (Self.width(of: segments) - room)
        guard columns >= 12, columns < segments[index].width else { return }
        segments[index] = sourceSegment(CellText.truncate(service.source, columns: columns))
    }

    /// The address of the status, which is as important as what is wrong with it.
    private func sourceSegment(_ text: String) -> Segment {
        let isWrong = addressProblem != nil
        return Segment(
            spans: [.init(text, isWrong ? Theme.strong : Theme.muted)], rank: isWrong ? Self.essentialRank : 3, isSource: true)
    }

    private var addressProblem: AddressProblem? { service.machine.failure?.addressProblem }

    private static func width(of segments: [Segment]) -> Int {
        segments.indices.reduce(0) { $0 + segments[$1].width + space(before: $1, in: segments).count }
    }

    private static func space(before index: Int, in segments: [Segment]) -> String {
        guard index > 0 else { return "" }
        return segments[index].isBadge || segments[index - 1].isBadge ? "  " : "   "
    }

    private func headerSegments(columns: Int) -> [Segment] {
        let look = StageLook(of: service.machine)
        var segments = [Segment(spans: [.init(look.badge, look.style.with(.bold))], rank: 9)]
        let badge = columns < Self.tight ? " SIM " : " SIMULATED "
        if simulation.isSimulated { segments.append(Segment(spans: [.init(badge, Theme.simulated)], rank: 8, isBadge: true)) }
        if service.security == .plain { segments.append(Segment(spans: [.init("! http", Theme.warning)], rank: 7)) }
        if let age = staleAge {
            segments.append(Segment(spans: [.init("! \(ClockText.compact(age)) old", Theme.warning)], rank: 7))
        }
        let version = service.app.version.map { [TextLine.Span(" \($0)")] } ?? []
        segments.append(Segment(spans: [.init(service.app.name, Theme.strong)] + version, rank: 5))
        segments.append(sourceSegment(service.source))
        if let signing { segments.append(Segment(spans: [.init(signing, Theme.muted)], rank: 4)) }
        if let fallen = fallenStream { segments.append(Segment(spans: [fallen], rank: 6)) }
        if let answer = answerSpan { segments.append(Segment(spans: [answer], rank: answerRank)) }
        return segments
    }

    private var answerRank: Int { addressProblem != nil ? Self.essentialRank : service.machine.failures > 0 ? 7 : 4 }

    /// Whether statuses are verified; nil for a simulated server, and before the first signed status.
    private var signing: String? {
        if service.machine.proof != nil { return "signed" }
        return service.verifies || simulation.isSimulated ? nil : "unsigned"
    }

    /// The warning about a lost stream while polling continues.
    private var fallenStream: TextLine.Span? {
        guard service.machine.polling != .off, case .waiting? = service.stream?.state else { return nil }
        return .init("\(streamGlyph) down", Theme.warning)
    }

    private var streamGlyph: String { screen.live.glyphs.text(StreamLook.glyph) }

    /// The time since the last confirmation if the status is stale; else nil.
    private var staleAge: Duration? {
        guard service.machine.isStale(at: screen.now) else { return nil }
        return service.machine.confirmedAt.map { $0.duration(to: screen.now) }
    }

    /// The result of the last check: `200 41 ms`, `! timeout ×3`.
    private var answerSpan: TextLine.Span? {
        if let failure = service.machine.failure {
            let count = service.machine.failures > 1 ? " ×\(service.machine.failures)" : ""
            let words = failure.addressProblem.map(OverlayPhrases.english.words) ?? failure.shortText
            return .init("! \(words)" + count, Theme.warning)
        }
        guard let metadata = service.machine.lastReply?.metadata else { return nil }
        if metadata.isPushed { return .init("pushed", Theme.muted) }
        let code = metadata.httpStatus.map { "\($0) " } ?? ""
        return .init(code + ClockText.latency(metadata.latency), Theme.muted)
    }

    // MARK: Countdown

    /// The time until the next check, such as `00:09`, or why there is none.
    var nextText: String {
        if service.machine.pending != nil { return "checking" }
        if service.machine.isSuspended { return "asleep" }
        if let heard { return "\(streamGlyph) \(ClockText.compact(heard))" }
        if service.machine.polling == .off { return attempt.map(waitText) ?? "connecting" }
        return remaining.map(waitText) ?? "--:--"
    }

    /// The rest of a wait, or its end without motion.
    private func waitText(_ rest: Duration) -> String {
        guard screen.live.reducesMotion else { return ClockText.countdown(rest) }
        return ClockText.time(screen.date.addingTimeInterval(rest.inSeconds), in: screen.timeZone)
    }

    /// The time since a live stream last received data; nil without a live stream.
    private var heard: Duration? {
        guard case .live(_, let lastHeard)? = service.stream?.state else { return nil }
        return lastHeard.duration(to: screen.now)
    }

    /// The time until the stream's next connection attempt, if polling is off.
    private var attempt: Duration? {
        guard service.machine.polling == .off, case .waiting(let next)? = service.stream?.state else { return nil }
        return max(.zero, screen.now.duration(to: next.due))
    }

    /// The time until the next check.
    var remaining: Duration? {
        service.machine.nextCheck.map { max(.zero, screen.now.duration(to: $0.due)) }
    }

    /// The remaining fraction of the wait, 1…0; for a live stream, of the silence that it may keep.
    private var shareLeft: Double {
        if let heard, let stream = service.stream {
            return max(0, 1 - heard / (stream.heartbeat * StreamMachine.silentHeartbeats))
        }
        if let attempt, case .waiting(let next)? = service.stream?.state, next.wait > .zero { return min(1, attempt / next.wait) }
        guard let next = service.machine.nextCheck, let remaining, next.wait > .zero else { return 0 }
        return min(1, remaining / next.wait)
    }

    /// A countdown, `checking` and `asleep` have the same width, so that the bar does not move when a check begins.
    private func countdownSegments(columns: Int) -> [TextLine.Span] {
        let isTight = columns < Self.tight
        if service.machine.pending != nil { return [.init(isTight ? "now   " : "checking   ", Theme.accent)] }
        if service.machine.isSuspended { return [.init(isTight ? "asleep" : "asleep     ", Theme.muted)] }
        if let heard { return streamSegment(heard, isTight: isTight) }
        if service.machine.polling == .off { return attemptSegments(isTight: isTight) }
        guard service.machine.nextCheck != nil else { return [] }
        return (isTight ? [] : [.init("next ", Theme.muted)]) + [.init("\(nextText) ")]
    }

    /// `⇅ stream 3s `, padded so that the bar does not move when the silence reaches ten seconds.
    private func streamSegment(_ heard: Duration, isTight: Bool) -> [TextLine.Span] {
        let words = "\(streamGlyph) \(isTight ? "" : "stream ")\(ClockText.compact(heard))"
        return [.init(CellText.padded(words, columns: isTight ? 6 : 13), Theme.live)]
    }

    private func attemptSegments(isTight: Bool) -> [TextLine.Span] {
        guard attempt != nil else {
            let isRefused = if case .ended? = service.stream?.state { true } else { false }
            return [.init(isTight ? "—     " : isRefused ? "refused    " : "connecting ", Theme.muted)]
        }
        return (isTight ? [] : [.init("retry ", Theme.muted)]) + [.init("\(nextText) ")]
    }

    /// The width of the bar and the column after it.
    private func barWidth(_ columns: Int) -> Int {
        switch columns {
        case ..<48: 0
        case ..<120: 11
        default: 21
        }
    }

    private func drawCountdown(_ spans: [TextLine.Span], in frame: inout Frame, _ rect: Rect) {
        let used = frame.write(TextLine(spans), in: rect)
        guard !screen.live.reducesMotion else { return }
        let bar = Rect(column: rect.column + used, row: rect.row, columns: rect.columns - used - 1, rows: 1)
        let isCounting = service.machine.pending == nil && (service.machine.nextCheck != nil || heard != nil || attempt != nil)
        frame.progressBar(isCounting ? shareLeft : 0, in: bar)
    }
}
