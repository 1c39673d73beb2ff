import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import Testing

/// A notice in words, and the row that it takes on a program's screen.
@Suite struct NoticeWordsTests {
    /// 2026-12-05 22:46:00 UTC.
    private static let now = Date(timeIntervalSince1970: 1_796_510_760)

    private func notice(
        _ effect: Rule.Effect, in wait: TimeInterval? = nil, until: TimeInterval? = nil, version: String? = nil,
        message: String? = nil, languages: LanguagePreference = LanguagePreference([])
    ) -> OverlayNotice {
        var facts = StatusFacts()
        (facts[.message], facts[.requiredVersion]) = (message, version)
        let rule = Rule(
            id: "r1", effect: effect, from: wait.map { Self.now + $0 }, until: until.map { Self.now + $0 }, facts: facts)
        return OverlayNotice(
            Verdict.Notice(rule: rule, phase: wait == nil ? .holding : .announced), app: AppInfo(name: "notes"), date: Self.now,
            timeZone: .gmt, languages: languages)
    }

    @Test(
        "A wait has no seconds, and a time neither",
        arguments: [
            (840, "Maintenance in 14 min, 23:00–00:30"), (45, "Maintenance in 45 s, 22:46–00:30"),
            (60, "Maintenance in 1 min, 22:47–00:30"), (7500, "Maintenance in 2 h 05 min, 00:51–00:30"),
            (870, "Maintenance in 15 min, 23:00–00:30"),
            (187_200, "Maintenance in 2 d 4 h, 2026-12-08 02:46–2026-12-06 00:30"),
        ] as [(TimeInterval, String)])
    func maintenance(wait: TimeInterval, text: String) {
        #expect(notice(.pause, in: wait, until: 6240).texts.first == text)
    }

    @Test("The subject comes first, and the message is left out before it is cut")
    func subjects() {
        let pause = notice(.pause, in: 840, until: 6240, message: "The disks move.")
        #expect(NoticeWords.text(pause, columns: 80) == "Maintenance in 14 min, 23:00–00:30: The disks move.")
        #expect(NoticeWords.text(pause, columns: 40) == "Maintenance in 14 min, 23:00–00:30")
        #expect(NoticeWords.text(pause, columns: 30) == "Maintenance in 14 min")
        #expect(NoticeWords.text(pause, columns: 12) == "Maintenance…")
        #expect(notice(.offer, version: "1.7").texts.first == "1.7 is available")
        #expect(notice(.update, in: 840, version: "1.5.2").texts[0] == "1.5.2 is required in 14 min, 23:00")
        #expect(notice(.notice, in: 840, message: "Read-only.").texts[0] == "23:00: Read-only.")
        #expect(notice(.notice).texts == ["r1"])
    }

    @Test("A message that is too long is cut, and the number of further notices is not")
    func longMessage() {
        var long = notice(.notice, message: "Saving is switched off until the disks are moved")
        #expect(NoticeWords.text(long, columns: 20) == "Saving is switched …")
        long.others = 2
        #expect(NoticeWords.text(long, columns: 20) == "Saving is switch… +2")
        #expect(NoticeWords.text(long, columns: 3) == "Sa…")
    }

    @Test("The words are in the person's language")
    func languages() {
        let german = notice(.pause, in: 840, until: 6240, languages: LanguagePreference(["de"]))
        #expect(german.texts[0].hasSuffix(" in 14 min, 23:00–00:30"))
        #expect(german.texts[0] != notice(.pause, in: 840, until: 6240).texts[0])
    }

    // MARK: The row

    private func screen(_ banner: Banner, _ size: Size) -> [String] {
        var frame = Frame(size)
        frame.write((0..<size.rows).map { _ in TextLine(String(repeating: "p", count: size.columns)) }, in: frame.bounds)
        banner.draw(in: &frame)
        return frame.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("The row is at the top right, and takes at most 60 % of the columns")
    func row() {
        let size = Size(columns: 60, rows: 3)
        let pause = notice(.pause, in: 840, until: 6240, message: "The disks move.")
        let rows = screen(NoticeWords.banner(pause, size: size), size)
        #expect(rows[0] == String(repeating: "p", count: 35) + " ▲ Maintenance in 14 min")
        #expect(rows[1] == String(repeating: "p", count: 60))
        let wide = NoticeWords.banner(pause, size: size, room: .whole)
        #expect(screen(wide, size)[0].hasSuffix("p ▲ Maintenance in 14 min, 23:00–00:30: The disks move."))
    }

    @Test("It is at the bottom while the program's cursor is in the first row")
    func bottom() {
        let size = Size(columns: 60, rows: 3), offer = notice(.offer, version: "1.7")
        let above = NoticeWords.banner(offer, size: size, cursor: Point(column: 9, row: 1))
        #expect(screen(above, size)[0].hasSuffix(" ▲ 1.7 is available"))
        let below = NoticeWords.banner(offer, size: size, cursor: Point(column: 9, row: 0))
        #expect(screen(below, size)[2].hasSuffix(" ▲ 1.7 is available"))
    }

    @Test("A narrow screen gives it the whole row, and a mark is one cell on any screen")
    func narrow() {
        let size = Size(columns: 30, rows: 2)
        var warning = notice(.notice, message: "Read-only.")
        let banner = NoticeWords.banner(warning, size: size)
        #expect(screen(banner, size)[0] == " ▲ Read-only.")
        #expect(banner.rows[0].width == 30, "the whole row is inverse")
        warning.form = .mark
        #expect(screen(NoticeWords.banner(warning, size: size), size)[0] == String(repeating: "p", count: 29) + "▲")
    }
}
