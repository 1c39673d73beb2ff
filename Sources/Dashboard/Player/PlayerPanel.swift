import Barricade
import Bellerophon
import ScenarioKit
import TerminalUI

/// The player: the timeline's name, its steps, the current position, and the progress of the current step.
struct PlayerPanel {
    enum Form: Equatable {
        /// Name and position.
        case line
        /// Name and position, the steps in a row, and a progress bar.
        case strip
        /// Name and position, and each step on its own line.
        case steps
    }

    let playback: Playback
    let speed: Int
    let form: Form

    /// Chooses the largest form that leaves room for the list; nil if there is no room.
    /// - Parameters:
    ///   - height: the rows for player and list.
    ///   - listRows: the rows of the whole list.
    init?(_ playback: Playback, speed: Int, height: Int, listRows: Int) {
        self.playback = playback
        self.speed = speed
        let steps = playback.timeline.steps.count
        switch height {
        case ..<4: return nil
        case ..<7: form = .line
        case (steps + 2 + min(listRows, 8))...: form = .steps
        default: form = .strip
        }
    }

    var rows: Int {
        switch form {
        case .line: 1
        case .strip: 3
        case .steps: 1 + playback.timeline.steps.count
        }
    }

    func draw(in frame: inout Frame, _ rect: Rect) {
        let inner = rect.inset(columns: 1)
        drawHeader(in: &frame, inner.row(0))
        let (_, rest) = inner.split(top: 1)
        switch form {
        case .line: break
        case .strip:
            frame.write(track(columns: rest.columns), in: rest.row(0))
            drawProgress(TextLine(progressText(withKey: true), Theme.muted), widest: 40, in: &frame, rest.row(1))
        case .steps:
            for index in playback.timeline.steps.indices { drawStep(index, in: &frame, rest.row(index)) }
        }
    }

    // MARK: Header

    /// `▶ Planned maintenance              2/4  ×10`
    private func drawHeader(in frame: inout Frame, _ rect: Rect) {
        let look = PlayerLook(playback.phase)
        let place = TextLine(placeText, Theme.muted)
        let name = TextLine([.init("\(look.glyph) ", look.style.with(.bold)), .init(playback.timeline.name, Theme.strong)])
        let word = TextLine("  \(look.word)", look.style)
        let room = max(0, rect.columns - place.width - 2)
        let hasRoomForWord = name.width + word.width <= room
        frame.write(hasRoomForWord ? name + word : name, in: rect.split(left: room).left)
        frame.write(place, in: rect, alignment: .right)
    }

    /// `2/4  ×1`, `round 3  2/4  ×10`
    private var placeText: String {
        let round = playback.timeline.repeats ? "round \(playback.player.round)  " : ""
        return "\(round)\(playback.stepIndex + 1)/\(playback.timeline.steps.count)  ×\(speed)"
    }

    // MARK: Steps in a row

    /// `live ─ ▶ paused ─ HTTP 503 ×3 ─ live`: as many steps around the current one as fit.
    func track(columns: Int) -> TextLine {
        let segments = playback.timeline.steps.indices.map { segment($0) }
        guard segments.indices.contains(playback.stepIndex) else { return .empty }
        var shown = max(0, playback.stepIndex - 1)...playback.stepIndex
        if line(segments, shown).width > columns { shown = playback.stepIndex...playback.stepIndex }
        while shown.upperBound + 1 < segments.count,
            line(segments, shown.lowerBound...shown.upperBound + 1).width <= columns
        {
            shown = shown.lowerBound...shown.upperBound + 1
        }
        while shown.lowerBound > 0, line(segments, shown.lowerBound - 1...shown.upperBound).width <= columns {
            shown = shown.lowerBound - 1...shown.upperBound
        }
        return line(segments, shown)
    }

    private func line(_ segments: [TextLine], _ shown: ClosedRange<Int>) -> TextLine {
        let link = TextLine(" ─ ", Theme.rule)
        var line = shown.lowerBound > 0 ? TextLine("… ─ ", Theme.rule) : .empty
        for index in shown { line = line + (index == shown.lowerBound ? .empty : link) + segments[index] }
        return shown.upperBound + 1 < segments.count ? line + TextLine(" ─ …", Theme.rule) : line
    }

    private func segment(_ index: Int) -> TextLine {
        let step = playback.timeline.steps[index]
        var text = playback.shortName(of: step)
        if case .times(let count) = step.length, count > 1 { text += " ×\(count)" }
        guard index == playback.stepIndex else {
            return TextLine(text, index < playback.stepIndex ? Theme.muted : Theme.text)
        }
        let look = PlayerLook(playback.phase)
        return TextLine("\(look.glyph) \(text)", look.style.with(.bold))
    }

    // MARK: The current step

    /// `███████░░░░░░░  12s of 30s`: without the bar if the step has no fixed end, or without room.
    private func drawProgress(_ text: TextLine, widest: Int, in frame: inout Frame, _ rect: Rect) {
        let bar = min(widest, rect.columns - text.width - 2)
        guard bar >= 4, let fraction = playback.player.position?.fraction else { return _ = frame.write(text, in: rect) }
        frame.progressBar(fraction, in: rect.split(left: bar).left, style: PlayerLook(playback.phase).style)
        frame.write(text, in: rect.split(left: bar + 2).rest)
    }

    private func progressText(withKey: Bool) -> String {
        let isOpen = playback.player.position?.remaining == .untilTold
        guard withKey, isOpen else { return playback.progressText }
        let isLast = playback.stepIndex == playback.timeline.steps.count - 1
        return isLast ? "final step; n ends the timeline" : "\(playback.progressText) (n)"
    }

    // MARK: One step per line

    /// `▶2 paused     ██████░░░░  12s of 30s`; the other steps show their length and their note.
    private func drawStep(_ index: Int, in frame: inout Frame, _ rect: Rect) {
        let step = playback.timeline.steps[index]
        let isPresent = index == playback.stepIndex
        let look = PlayerLook(playback.phase)
        let style = isPresent ? look.style.with(.bold) : index < playback.stepIndex ? Theme.muted : Theme.text
        let width = min(nameWidth, max(8, rect.columns / 2))
        let name = CellText.padded(playback.shortName(of: step), columns: width)
        let number = index < 9 ? "\(index + 1)" : " "
        let head = TextLine("\(isPresent ? look.glyph : " ")\(number) \(name)  ", style)
        frame.write(head, in: rect)
        let rest = rect.split(left: head.width).rest
        guard isPresent else { return drawLength(step, in: &frame, rest) }
        drawProgress(TextLine(progressText(withKey: false), look.style), widest: 16, in: &frame, rest)
    }

    private func drawLength(_ step: Timeline.Step, in frame: inout Frame, _ rect: Rect) {
        let words = step.length == .untilTold ? "waits" : Self.text(of: step.length)
        let length = CellText.padded(words, columns: 10)
        frame.write(TextLine(step.note.isEmpty ? length : "\(length)  \(step.note)", Theme.muted), in: rect)
    }

    private var nameWidth: Int {
        playback.timeline.steps.map { CellText.width(of: playback.shortName(of: $0)) }.max() ?? 0
    }

    /// `30s`, `3 times`, `until you continue`
    static func text(of length: Timeline.Step.Length) -> String {
        switch length {
        case .lasting(let time): ClockText.compact(time)
        case .times(let count): count == 1 ? "once" : "\(count) times"
        case .untilTold: "until you continue"
        }
    }
}
