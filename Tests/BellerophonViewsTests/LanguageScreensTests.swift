import Bellerophon
import CVterm
import Foundation
import StatusModel
import TerminalUI
import TestSupport
import Testing

@testable import BellerophonViews

/// The views, pages and questions in every language, on terminals of 80×24 and 40×12.
@Suite("Screens in every language") @MainActor struct LanguageScreensTests {
    nonisolated private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)]

    @Test("No text is cut, wrapped inside a word, left in English or without its value", arguments: OverlayPhrases.all)
    func words(phrases: OverlayPhrases) throws {
        let vocabulary = Vocabulary(phrases)
        for sample in try LanguageSamples.all(phrases) {
            for size in Self.sizes where size.columns >= sample.columns {
                let text = sample.frame(size).text
                let strange = vocabulary.strangeWords(in: text)
                #expect(strange.isEmpty, "\(phrases.tag) \(sample.name) \(size.columns)x\(size.rows): \(strange)\n\(text)")
            }
        }
    }

    @Test(
        "No text of a required update is left in English, on the screen or in reading order",
        arguments: OverlayPhrases.all.dropFirst())
    func updates(phrases: OverlayPhrases) {
        let parts = EnglishText.parts(notIn: phrases)
        #expect(parts.contains("failed with exit code"))
        for (state, report) in LanguageSamples.reports {
            let content = LanguageSamples.offer(report, phrases)
            let picture = LanguageSample(name: state, content: content).frame(Size(columns: 120, rows: 40)).text
            let spoken = LinearText(content, keys: OverlayCommand.updateKeys).lines.joined(separator: "\n")
            for text in [picture, spoken] {
                let small = text.lowercased(), left = parts.filter { small.hasBytes(of: $0) }
                #expect(left.isEmpty, "\(state): \(left)\n\(text)")
            }
        }
    }

    @Test("The reports of the samples have every end of a command and every obstacle")
    func completeness() {
        let shown = Set((LanguageSamples.ends + LanguageSamples.obstacles).flatMap(EnglishText.phrases))
        let english = OverlayPhrases.english
        let all = [Mirror(reflecting: english.ends), Mirror(reflecting: english.obstacles)].flatMap { $0.children.map(\.value) }
        #expect(shown == Set(all.compactMap { $0 as? String }))
    }

    @Test("The words of a picture that are cut, wrapped or foreign are found")
    func strangeWords() {
        let vocabulary = Vocabulary(.german)
        #expect(vocabulary.strangeWords(in: "  ■  DIENST PAUSIERT  ") == [])
        #expect(vocabulary.strangeWords(in: "notes läuft darunter wei\nter; nicht …") == ["wei", "ter", "…"])
        #expect(vocabulary.strangeWords(in: "next check in 9 s {time}") == ["next", "check", "{time}"])
        #expect(Vocabulary(.japanese).strangeWords(in: "notes は裏で実行\n中です。 notes は遠い") == ["は遠い"])
    }

    @Test(
        "libvterm shows every row of a view as it was drawn", .enabled(if: cvterm_is_available() != 0),
        arguments: OverlayPhrases.all)
    func widths(phrases: OverlayPhrases) throws {
        for sample in try LanguageSamples.all(phrases) {
            let frame = sample.frame(Size(columns: 40, rows: 12))
            let drawn = frame.text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.withoutEnd)
            #expect(try Self.rowsOfTerminal(showing: frame) == drawn, "\(phrases.tag) \(sample.name)")
            #expect(drawn.allSatisfy { CellText.width(of: $0) <= 40 })
        }
    }

    /// The rows of a terminal on which a frame was drawn.
    private static func rowsOfTerminal(showing frame: Frame) throws -> [String] {
        let (columns, rows) = (frame.size.columns, frame.size.rows)
        let terminal = try #require(cvterm_create(Int32(rows), Int32(columns)))
        defer { cvterm_free(terminal) }
        var writer = FrameWriter(TerminalLook(depth: .mono), hyperlinks: false)
        let bytes = writer.bytes(for: frame)
        cvterm_feed(terminal, bytes, bytes.count)
        let wordsPerCell = Int(CVTERM_WORDS_PER_CELL)
        var words = [UInt32](repeating: 0, count: columns * rows * wordsPerCell)
        cvterm_get_cells(terminal, &words)
        return (0..<rows).map { row in
            var points: [UInt32] = []
            for column in 0..<columns {
                let start = (row * columns + column) * wordsPerCell
                switch words[start] {
                case CVTERM_RIGHT_HALF: break
                case 0: points.append(0x20)
                default: points += words[start..<start + Int(CVTERM_CODE_POINTS)].prefix { $0 != 0 }
                }
            }
            return withoutEnd(String(decoding: points, as: UTF32.self))
        }
    }

    private static func withoutEnd(_ row: some StringProtocol) -> String {
        var text = row[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension OverlayPhrases: CustomTestStringConvertible {
    public var testDescription: String { tag }
}

/// The English texts of a required update.
private enum EnglishText {
    /// The parts between values, in small letters, that no text of a language has, too short ones left out.
    static func parts(notIn phrases: OverlayPhrases) -> [String] {
        let english = OverlayPhrases.english
        let texts = [english.update, english.ends, english.obstacles, english.terminal].flatMap { (value: Any) in
            LanguageSamples.texts(of: value).values.flatMap(\.self)
        }
        let own = LanguageSamples.texts(of: phrases).values.flatMap(\.self).joined(separator: "\n").lowercased()
        return texts.flatMap { $0.split(separator: /\{[a-z]+\}/) }
            .map { $0.trimmingCharacters(in: .whitespaces.union(.punctuationCharacters)).lowercased() }
            .filter { $0.count >= 4 && !own.contains($0) }
    }

    /// The phrases of a text, with those of its values.
    static func phrases(of text: LocalizedText) -> [String] {
        guard case .phrase(let phrase, let values) = text else { return [] }
        return [OverlayPhrases.english[keyPath: phrase]] + values.values.flatMap(phrases)
    }
}

/// The words that a view in one language may have.
private struct Vocabulary {
    private let words: Set<String>
    /// The texts before and after a value in words such as `({host})`.
    private let frames: [(before: String, after: String)]
    /// The phrases without their spaces, for languages that have none between words.
    private let text: String

    /// What is not of the language: names, versions, addresses, commands, keys, units, and what sleeps in the drawing.
    private static let values = Set(
        """
        notes 1.4.0 1.5.2 1.3.0 1.5.0 demo.local demo.local/status https //demo.local/get sudo apt get install apt mark unhold pip ada
        connection refused https://demo.local/get bellerophon guard continue vim sleep end100 offline /usr/bin/notes /opt/notes xdg open
        Ctrl C Y y q r i c u o ? Esc Enter Up Down Home End PgUp PgDn Space F1 g G j k d h m min s z Z PATH libnotes wrong folder
        """.split { $0.isWhitespace }.map(String.init))

    init(_ phrases: OverlayPhrases) {
        let states = phrases.states
        let headlines = [states.paused, states.closed, states.stopped, states.update, states.broken, states.goBack]
            .map { $0.headline }
        let texts = LanguageSamples.texts(of: phrases).values.flatMap(\.self) + headlines
        var words: Set<String> = []
        var frames: [(String, String)] = []
        for token in texts.flatMap(Self.tokens) {
            guard let open = token.firstIndex(of: "{"), let close = token.lastIndex(of: "}") else {
                words.insert(token)
                continue
            }
            let frame = (Self.bare(token[..<open]), Self.bare(token[token.index(after: close)...]))
            if !frame.0.isEmpty || !frame.1.isEmpty { frames.append(frame) }
        }
        (self.words, self.frames) = (words, frames)
        let times = [phrases.program.inTime, phrases.program.atTime]
        let ends = phrases.program.endingAtTime.flatMap { end in times.map { end.with(["time": $0]) } }
        let paused = phrases.program.pausedWith.map { $0.with(["others": phrases.count(2, phrases.program.others)]) }
        text = (texts + ends + paused).map { text in text.replacing(/\{[a-z]+\}/, with: "\n").filter { $0 != " " } }.joined(
            separator: "\n")
    }

    /// The words that are neither words of the language nor values.
    func strangeWords(in picture: String) -> [String] {
        Self.tokens(picture).filter { token in
            guard token.contains(where: \.isLetter) || token.contains("…") || token.contains("{") else { return false }
            return !isKnown(token)
                && !frames.contains { before, after in
                    token.hasPrefix(before) && token.hasSuffix(after) && token.count >= before.count + after.count
                        && isKnown(Self.bare(token.dropFirst(before.count).dropLast(after.count)))
                }
        }
    }

    private func isKnown(_ token: String) -> Bool {
        if words.contains(token) || Self.values.contains(token) { return true }
        guard token.contains(where: Self.isIdeographic) else {
            return token.allSatisfy { !$0.isLetter && $0 != "…" && $0 != "{" }
        }
        // Such a text may be wrapped anywhere.
        return token.split(whereSeparator: \.isASCII).allSatisfy { text.contains($0) }
    }

    private static func isIdeographic(_ character: Character) -> Bool {
        character.unicodeScalars.contains { (0x3040...0x9FFF).contains($0.value) }
    }

    /// The texts between spaces and hyphens, at which a text may be wrapped.
    private static func tokens(_ text: String) -> [String] {
        text.split { $0.isWhitespace || "-─·│「」".contains($0) }.map { bare($0) }.filter { !$0.isEmpty }
    }

    private static func bare(_ text: some StringProtocol) -> String {
        func isEdge(_ character: Character) -> Bool {
            !character.isLetter && !character.isNumber && !"…{}/?".contains(character)
        }
        var bare = text.drop(while: isEdge)
        while let last = bare.last, isEdge(last) { bare.removeLast() }
        return String(bare)
    }
}
