public import Bellerophon
import BellerophonBase
import BellerophonViews
import Foundation
public import TerminalUI
import Testing

/// Expects that every word on a picture of a view is also in its text in reading order. Drawings, rules, bars, large letters and
/// the digits of a countdown are no words.
@MainActor
public func expectLinearText(
    of content: OverlayContent, keys: KeyMap<OverlayCommand>, hasWordsOf frame: Frame,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let text = LinearText(content, keys: keys).lines.joined(separator: "\n").lowercased()
    let known = Set(PictureWords.words(of: text))
    let joined = text.filter { !$0.isWhitespace }
    let short = frame.size.columns >= 80 ? [] : PictureWords.ofShortTexts(content.phrases)
    let picture = PictureWords.withoutMarks(frame.text, content.phrases).lowercased()
    let missing = PictureWords.words(of: picture).filter { word in
        guard !known.contains(word), !PictureWords.clocks(of: content).contains(word) else { return false }
        // A word that is cut at the edge, or an address or a text without spaces that is wrapped.
        let start = word.hasSuffix("…") ? String(word.dropLast()) : word
        if word.hasSuffix("…"), known.contains(where: { $0.hasPrefix(start) }) { return false }
        if start.count >= 4 || start.contains(where: { !$0.isASCII }), joined.contains(start) { return false }
        return !short.contains(word)
    }
    #expect(
        missing.isEmpty,
        "\(content.phrases.tag), \(frame.size.columns)x\(frame.size.rows): only on the picture\n\(frame.text)\n\(text)",
        sourceLocation: sourceLocation)
}

/// The words of a picture.
private enum PictureWords {
    /// Words of the shorter wordings for small terminals. The text in reading order has the longer wording of the same.
    static func ofShortTexts(_ phrases: OverlayPhrases) -> Set<String> {
        Set(shortTexts(of: phrases).flatMap { words(of: $0.lowercased()) })
    }

    /// The texts of lists without the first one, which is the longest, and those that are short by their name.
    private static func shortTexts(of value: Any, named name: String = "") -> [String] {
        let isShort = ["word", "shortHeadline", "nextIn", "sizeNeeded", "still"].contains(name)
        if let text = value as? String { return isShort ? [text] : [] }
        if let texts = value as? [String] { return Array(texts.dropFirst()) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .collection { return mirror.children.dropFirst().flatMap { texts(of: $0.value) } }
        return mirror.children.flatMap { child in
            if mirror.displayStyle == .optional { return shortTexts(of: child.value, named: name) }
            return shortTexts(of: child.value, named: child.label ?? "")
        }
    }

    private static func texts(of value: Any) -> [String] {
        if let text = value as? String { return [text] }
        return Mirror(reflecting: value).children.flatMap { texts(of: $0.value) }
    }

    /// The picture without the marks that say how much is hidden, which is true of the picture only.
    static func withoutMarks(_ picture: String, _ phrases: OverlayPhrases) -> String {
        (1...99).reversed().reduce(picture) { $0.replacing("\($1) \(phrases.moreLines($1))", with: "") }
    }

    /// The texts between spaces and drawn characters that have at least two letters or digits.
    static func words(of text: String) -> [String] {
        // A hyphenated word may be wrapped at its hyphen.
        text.split { $0.isWhitespace || "-─│━█▌▐▀▄░▒▓·#".contains($0) }
            .map { $0.trimming(while: { !$0.isLetter && !$0.isNumber && $0 != "…" }) }
            .filter { $0.count { $0.isLetter || $0.isNumber } > 1 }
    }

    /// The countdowns, which a text that stands still does not have.
    static func clocks(of content: OverlayContent) -> Set<String> {
        var waits = [content.countdown?.remaining, content.countdown?.total].compactMap(\.self)
        if case .ending(let left) = content.program { waits.append(left) }
        return Set(
            waits.map { wait in
                let seconds = Int(wait.inSeconds.rounded(.up))
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
