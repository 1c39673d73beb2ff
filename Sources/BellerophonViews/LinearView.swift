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
    private enum Topic: CaseIterable { case state, offer, program, told, problem, age, notice, page, question, keys }

    /// What tells one cover from another. Another cover begins with an empty transcript.
    private struct CoverIdentity: Equatable {
        var stage: Stage
        var since: Date?
        var isStoppedLocally: Bool
    }

    private var cover: CoverIdentity?
    /// The lines on the screen, without those that had no room beside later ones.
    private var transcript: [String] = []
    /// The index of the first line that was added last, or of an open question.
    private var lastAdded = 0
    private var isAsking = false
    private var told: [Topic: [String]] = [:]
    /// The rule that the person was last told of, and its phase. The words of its time change, and are not told again.
    private var toldRule: String?
    /// Whether only the lines of the beginning are there, which can be scrolled.
    private var isAtBeginning = true

    /// - Parameter keys: the keys of the view: ``OverlayCommand/standardKeys`` or ``OverlayCommand/updateKeys``.
    package init(keys: KeyMap<OverlayCommand>) {
        keyMap = keys
    }

    package func draw(_ content: OverlayContent, in frame: inout Frame) { draw(content, asking: nil, in: &frame) }

    /// Draws the transcript, in which an open question is the last thing said.
    func draw(_ content: OverlayContent, asking question: OverlayQuestion?, in frame: inout Frame) {
        updateTranscript(content, question)
        paint(in: &frame, from: question?.scroll ?? content.presentation.scroll)
    }

    package func scrollLimit(for content: OverlayContent, size: Size) -> Int {
        isAtBeginning ? max(0, rows(size.columns).count - size.rows) : 0
    }

    /// How far an open question can be scrolled, if its lines do not fit on the screen.
    func scrollLimit(of question: OverlayQuestion, size: Size) -> Int {
        isAsking ? max(0, rows(size.columns, from: lastAdded).count - size.rows) : 0
    }

    /// Draws the transcript with a last line that says that the cover goes.
    package func drawEnd(of content: OverlayContent, in frame: inout Frame) {
        updateTranscript(content, nil)
        lastAdded = transcript.count
        let words = content.phrases.spoken
        transcript.append((content.isStoppedLocally ? words.released : words.available).with(["name": content.app.name]))
        isAtBeginning = false
        paint(in: &frame, from: 0)
        cover = nil
    }

    // MARK: The transcript

    private func updateTranscript(_ content: OverlayContent, _ question: OverlayQuestion?) {
        let cover = CoverIdentity(
            stage: content.stage, since: content.since, isStoppedLocally: content.isStoppedLocally)
        if self.cover != cover {
            (self.cover, transcript, told, isAtBeginning) = (cover, [], [:], true)
            (toldRule, lastAdded, isAsking) = (nil, 0, false)
        }
        let isFirst = transcript.isEmpty, count = transcript.count
        defer {
            // What is said while a question is open follows it.
            if transcript.count > count, !isAsking || question == nil { lastAdded = count }
            isAsking = question != nil
        }
        for topic in Topic.allCases {
            guard let lines = lines(topic, content, question), told[topic] ?? [] != lines else { continue }
            told[topic] = lines
            if topic == .told { toldRule = Self.rule(of: content) }
            transcript += lines
            // The keys follow the beginning as soon as they count.
            if !isFirst, topic != .keys { isAtBeginning = false }
        }
    }

    /// What there is to say about a topic, empty for nothing; nil if what was last said still counts.
    private func lines(_ topic: Topic, _ content: OverlayContent, _ question: OverlayQuestion?) -> [String]? {
        let text = LinearText(content, keys: keyMap)
        let words = content.phrases.spoken
        switch topic {
        case .state:
            // The link is a line of its own.
            var state = content
            state.link = nil
            return [OverlayWords.summary(state, name: content.app.name)]
        case .offer: return text.offer
        case .program: return Array(text.program.prefix(1))
        case .told: return Self.rule(of: content) == toldRule ? nil : text.told
        case .problem:
            if let failure = content.failure { return [words.checksFail.with(["failure": failure])] }
            return told[.problem] == nil ? nil : [words.checksSucceed]
        case .age: return content.standing.isStale ? [words.notConfirmed] : []
        case .notice: return content.presentation.notice.map { [$0] } ?? []
        case .page: return content.presentation.page == .status ? [] : text.page
        case .question:
            return question.map { [$0.title] + $0.text.split(separator: "\n").map(String.init) } ?? []
        case .keys:
            if let question { return question.isReady ? [text.keyLine(answering: question)] : nil }
            return content.presentation.ignoresKeys ? nil : [text.keyLine].compactMap(\.self)
        }
    }

    private static func rule(of content: OverlayContent) -> String? {
        content.notice.map { "\($0.rule.id) \($0.phase.rawValue)" }
    }

    // MARK: Drawing

    private func rows(_ columns: Int, from first: Int = 0) -> [String] {
        transcript[first...].flatMap { CellText.wrap($0, columns: max(1, columns)) }
    }

    /// Draws the rows. If there is no room for the lines that were added last, they begin an empty screen: a screen that moves up
    /// would be read again. Of the beginning and of a question, those rows are drawn that were scrolled to.
    private func paint(in frame: inout Frame, from scroll: Int) {
        var rows = rows(frame.size.columns)
        if rows.count > frame.size.rows, !isAtBeginning {
            transcript.removeFirst(lastAdded)
            lastAdded = 0
            rows = self.rows(frame.size.columns)
        }
        let hidden = max(0, rows.count - frame.size.rows)
        let first = isAtBeginning || isAsking ? min(max(0, scroll), hidden) : hidden
        let shown = rows[first...].prefix(frame.size.rows)
        for (row, text) in shown.enumerated() { frame.write(text, in: frame.bounds.row(row), style: Theme.text) }
        let column = min(CellText.width(of: shown.last ?? ""), max(0, frame.size.columns - 1))
        frame.cursor = Point(column: column, row: max(0, shown.count - 1))
    }
}
