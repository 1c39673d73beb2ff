import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import TestSupport
import Testing

/// Expects that every word on a picture of a view is also in its text in reading order. Drawings, rules, bars, large letters and
/// the digits of a countdown are no words.
@MainActor
func expectLinearText(
    of content: OverlayContent, keys: KeyMap<OverlayCommand>, hasWordsOf frame: Frame,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let text = LinearText(content, keys: keys).lines.joined(separator: "\n").lowercased()
    let known = Set(PictureWords.words(of: text))
    let joined = text.filter { !$0.isWhitespace }
    let missing = PictureWords.words(of: frame.text.lowercased()).filter { word in
        guard !known.contains(word), !PictureWords.clocks(of: content).contains(word) else { return false }
        // A word that is cut at the edge, or an address or a text without spaces that is wrapped.
        let start = word.hasSuffix("…") ? String(word.dropLast()) : word
        if word.hasSuffix("…"), known.contains(where: { $0.hasPrefix(start) }) { return false }
        if start.count >= 4 || start.contains(where: { !$0.isASCII }), joined.contains(start) { return false }
        return frame.size.columns >= 80 || !PictureWords.ofShortTexts.contains(word)
    }
    #expect(
        missing.isEmpty, "\(frame.size.columns)x\(frame.size.rows): only on the picture\n\(frame.text)\n\(text)",
        sourceLocation: sourceLocation)
}

/// The words of a picture.
private enum PictureWords {
    /// Words of the shorter wordings for small terminals. The text in reading order has the longer wording of the same.
    static let ofShortTexts: Set<String> = ["40×10", "needed", "one", "moment…", "meanwhile", "next", "still", "ends", "yet"]

    /// The texts between spaces and drawn characters that have at least two letters or digits.
    static func words(of text: String) -> [String] {
        // How much is hidden is true of the picture only. A hyphenated word may be wrapped at its hyphen.
        text.replacing(/(\d+ )?more lines?/, with: "").split { $0.isWhitespace || "-─│━█▌▐▀▄░▒▓·#".contains($0) }
            .map { $0.trimming(while: { !$0.isLetter && !$0.isNumber && $0 != "…" }) }
            .filter { $0.count { $0.isLetter || $0.isNumber } > 1 }
    }

    /// The countdowns, which a text that stands still does not have.
    static func clocks(of content: OverlayContent) -> Set<String> {
        var waits = [content.countdown?.remaining, content.countdown?.total].compactMap(\.self)
        if case .ending(let left) = content.program { waits.append(left) }
        return Set(
            waits.map { wait in
                let seconds = Int((Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18).rounded(.up))
                let digits = [seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
                return seconds < 3600 ? digits : "\(seconds / 3600):\(digits)"
            })
    }
}

extension Substring {
    /// The text without the characters at both ends that meet a condition.
    fileprivate func trimming(while condition: (Character) -> Bool) -> String {
        let start = drop(while: condition)
        return String(start.reversed().drop(while: condition).reversed())
    }
}

@MainActor @Suite struct LinearTextTests {
    @Test("The text of a pause says one statement in a line, in reading order")
    func pause() {
        var content = OverlaySamples.guarded(.running)
        content.date = OverlaySamples.since.addingTimeInterval(217)
        let lines = LinearText(content, keys: OverlayCommand.standardKeys).lines
        expectGolden(lines.joined(separator: "\n"), file: "linear-pause.txt")
        var update = OverlaySamples.update
        (update.failures, update.failure) = (2, "connection refused")
        let updateLines = LinearText(update, keys: OverlayCommand.updateKeys).lines
        expectGolden(updateLines.joined(separator: "\n"), file: "linear-update.txt")
    }

    @Test("Keys that do not count yet are not named, and a notice is a line")
    func arriving() {
        var content = OverlaySamples.paused
        content.presentation.ignoresKeys = true
        content.presentation.notice = "keys ignored; pause for a moment"
        let lines = LinearText(content, keys: OverlayCommand.standardKeys).lines
        #expect(lines.suffix(2) == ["Keys ignored; pause for a moment.", "Keys count in a moment."])
    }
}
