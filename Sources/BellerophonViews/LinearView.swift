package import Bellerophon
import Foundation
import TerminalUI

/// A cover for people who do not see the screen: lines that are only added, from the top, with the cursor after the last one.
///
/// It says in a line that it begins, and in a line each what changes, and which keys there are. A line that stands is never drawn
/// again with another text, so that a screen reader reads each once. There is no countdown and no drawing.
@MainActor
package final class LinearView: OverlayView {
    package let keyMap: KeyMap<OverlayCommand>

    /// What a line is about. A line is added when what it says differs from what was last said about the same.
    private enum Topic: CaseIterable { case state, offer, program, told, problem, age, notice, page, keys }

    /// What a transcript is about. Another cover begins with an empty transcript.
    private struct Occasion: Equatable {
        var stage: Stage
        var since: Date?
        var isStoppedLocally: Bool
    }

    private var occasion: Occasion?
    private var transcript: [String] = []
    private var told: [Topic: [String]] = [:]
    /// The rule that the person was last told of, and its phase. The words of its time change, and are not told again.
    private var toldRule: String?
    /// Whether only the lines of the beginning are there, which can be scrolled.
    private var isAtBeginning = true

    /// - Parameter keys: the keys of the view: ``OverlayCommand/standardKeys`` or ``OverlayCommand/updateKeys``.
    package init(keys: KeyMap<OverlayCommand>) {
        keyMap = keys
    }

    package func draw(_ content: OverlayContent, in frame: inout Frame) {
        take(content)
        paint(in: &frame, from: content.presentation.scroll)
    }

    package func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        isAtBeginning ? max(0, rows(size.columns).count - size.rows) : 0
    }

    /// Draws the transcript with a last line that says that the cover has gone.
    package func drawEnd(of content: OverlayContent, in frame: inout Frame) {
        take(content)
        transcript.append(content.phrases.spoken.available.with(["name": content.app.name]))
        isAtBeginning = false
        paint(in: &frame, from: 0)
        occasion = nil
    }

    // MARK: The transcript

    private func take(_ content: OverlayContent) {
        let occasion = Occasion(
            stage: content.stage, since: content.since, isStoppedLocally: content.isStoppedLocally)
        if self.occasion != occasion {
            (self.occasion, transcript, told, isAtBeginning) = (occasion, [], [:], true)
            toldRule = nil
        }
        let isFirst = transcript.isEmpty
        for topic in Topic.allCases {
            guard let lines = lines(topic, content), told[topic] ?? [] != lines else { continue }
            told[topic] = lines
            if topic == .told { toldRule = Self.rule(of: content) }
            transcript += lines
            // The keys follow the beginning as soon as they count.
            if !isFirst, topic != .keys { isAtBeginning = false }
        }
    }

    /// What there is to say about a topic, empty for nothing; nil if what was last said still counts.
    private func lines(_ topic: Topic, _ content: OverlayContent) -> [String]? {
        let text = LinearText(content, keys: keyMap)
        let words = content.phrases.spoken
        switch topic {
        case .state: return [OverlayWords.summary(content, name: content.app.name)]
        case .offer: return text.offer
        case .program: return Array(text.program.prefix(1))
        case .told: return Self.rule(of: content) == toldRule ? nil : text.told
        case .problem:
            if let failure = content.failure { return [words.checksFail.with(["failure": failure])] }
            return told[.problem] == nil ? nil : [words.checksSucceed]
        case .age: return content.standing.isStale ? [words.notConfirmed] : []
        case .notice: return content.presentation.notice.map { [$0] } ?? []
        case .page: return content.presentation.page == .status ? [] : text.page
        case .keys: return content.presentation.ignoresKeys ? nil : [text.keyLine].compactMap(\.self)
        }
    }

    private static func rule(of content: OverlayContent) -> String? {
        content.notice.map { "\($0.rule.id) \($0.phase.rawValue)" }
    }

    // MARK: Drawing

    private func rows(_ columns: Int) -> [String] {
        transcript.flatMap { CellText.wrap($0, columns: max(1, columns)) }
    }

    /// Draws the rows. If there is no room for all, the last ones are drawn, and of the beginning those that were scrolled to.
    private func paint(in frame: inout Frame, from scroll: Int) {
        let rows = rows(frame.size.columns)
        let hidden = max(0, rows.count - frame.size.rows)
        let first = isAtBeginning ? min(max(0, scroll), hidden) : hidden
        let shown = rows[first...].prefix(frame.size.rows)
        for (row, text) in shown.enumerated() { frame.write(text, in: frame.bounds.row(row), style: Theme.text) }
        let column = min(CellText.width(of: shown.last ?? ""), max(0, frame.size.columns - 1))
        frame.cursor = Point(column: column, row: max(0, shown.count - 1))
    }
}
