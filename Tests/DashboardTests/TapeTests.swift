import Barricade
import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import Dashboard
@testable import ProgramKit
@testable import TerminalShadow
@testable import TerminalUI

/// Recordings of the screen.
@Suite struct TapeTests {
    private static let date = Date(timeIntervalSince1970: 1_709_992_800)

    private func frame(_ lines: [TextLine], columns: Int = 12, rows: Int = 2) -> Frame {
        var frame = Frame(Size(columns: columns, rows: rows))
        frame.write(lines, in: frame.bounds)
        return frame
    }

    @Test func aSmallTape() {
        var tape = Tape(title: #"a "tape""#, date: Self.date)
        let text = [
            tape.lines(for: frame(["one", TextLine("paused", Theme.paused.with(.bold))]), at: .zero),
            tape.lines(for: frame(["one", TextLine("paused", Theme.paused.with(.bold))]), at: .milliseconds(400)),
            tape.lines(for: frame(["two 暂停", TextLine("live ─█", Theme.live)]), at: .milliseconds(1250)),
            tape.lines(for: frame(["C:\\x"], columns: 6, rows: 1), at: .seconds(3661)),
            // The clock does not go back.
            tape.lines(for: frame(["C:\\y"], columns: 6, rows: 1), at: .seconds(2)),
            [tape.end(at: .seconds(3662.5)) ?? ""],
        ].joined()
        expectGolden(text.joined(separator: "\n"), file: "tape.cast")
    }

    @Test("A recording without a frame has no lines")
    func emptyFrameHasNoLine() {
        var tape = Tape(title: "x", date: Self.date)
        #expect(tape.lines(for: Frame(Size(columns: 0, rows: 0)), at: .zero) == [])
        #expect(tape.end(at: .zero) == nil)
    }

    /// Everything that a person does in the demo is played back by a terminal, cell for cell.
    @Test(arguments: [ColorTheme.dark, .highContrast], GlyphStyle.allCases)
    func aPlayerShowsTheSameCells(theme: ColorTheme, glyphs: GlyphStyle) throws {
        var session = DashboardSession.playing()
        var player = TapePlayer(theme: theme, glyphs: glyphs)
        func record() throws { try player.play(session.model.frame(size: session.model.screen.size)) }
        try record()
        session.play(12)
        try record()
        session.press(.character("s"))
        try record()
        session.resize(132, 40)
        try record()
        session.press(.escape, .character("?"))
        try record()
        session.resize(40, 12)
        try record()
        session.press(.escape, .character("/"))
        session.type("暂停 é👍🏽")
        try record()
        player.use(.light)
        try record()
        #expect(player.cells > 10_000)
    }

    // MARK: The file

    private let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private func recorder(_ name: String = "x.cast") throws -> TapeRecorder {
        try TapeRecorder(folder.path(name), Tape(title: "x", date: Self.date))
    }

    @Test func everyLineIsInTheFileAtOnce() throws {
        let start = ContinuousClock.now
        let recorder = try recorder()
        recorder.record(frame(["one"]), at: start)
        #expect(folder.text("x.cast")?.split(separator: "\n").count == 2)
        recorder.record(frame(["two"]), at: start + .milliseconds(2500))
        #expect(folder.text("x.cast")?.split(separator: "\n").last?.hasPrefix(#"[2.500, "o", "#) == true)
        recorder.finish(at: start + .seconds(3))
        let lines = try #require(folder.text("x.cast")).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.last == #"[3.000, "o", "\u001b[?25h\u001b[?1049l"]"#)
        recorder.record(frame(["three"]), at: start + .seconds(4))
        recorder.finish()
        #expect(folder.text("x.cast")?.split(separator: "\n").count == 4, "nothing follows the end")
    }

    @Test func aFileIsNeverOverwritten() throws {
        try folder.write("kept", to: "x.cast")
        #expect {
            _ = try recorder()
        } throws: {
            "\($0)".hasSuffix("x.cast: exists and is not empty; a tape never overwrites a file")
        }
        #expect(folder.text("x.cast") == "kept")
        try folder.write("", to: "empty.cast")
        try recorder("empty.cast").finish()
        #expect(!FileManager.default.fileExists(atPath: folder.path("empty.cast")), "nothing was recorded")
        #expect(try recorder("empty.cast").closingLine == "tape: nothing was recorded")
        #expect(throws: OutputFileError.self) { _ = try recorder("none/x.cast") }
        #expect(throws: OutputFileError.self) { _ = try TapeRecorder("/dev/full", Tape(title: "x", date: Self.date)) }
    }

    @Test func aChangeOfTheThemeRepaintsEverything() throws {
        let start = ContinuousClock.now
        let recorder = try recorder()
        let frame = frame([TextLine("paused", Theme.paused)])
        recorder.record(frame, at: start)
        recorder.use(.light)
        recorder.record(frame, at: start + .seconds(1))
        recorder.finish(at: start + .seconds(1))
        let text = try #require(folder.text("x.cast"))
        #expect(text.components(separatedBy: "paused").count == 3)
    }
}

/// A terminal that plays a tape, and compares its cells with the frames.
private struct TapePlayer {
    private var tape: Tape
    private var theme: ColorTheme
    private let glyphs: GlyphStyle
    private var shadow = ShadowTerminal(columns: 1, rows: 1)
    private var tokenizer = SequenceTokenizer()
    private var sequence = ControlSequence()
    private(set) var cells = 0

    init(theme: ColorTheme, glyphs: GlyphStyle) {
        (self.theme, self.glyphs) = (theme, glyphs)
        tape = Tape(title: "x", date: .now, theme: theme, glyphs: glyphs)
    }

    mutating func use(_ theme: ColorTheme) {
        self.theme = theme
        tape.use(theme)
    }

    mutating func play(_ frame: Frame) throws {
        for line in tape.lines(for: frame, at: .zero) { try play(line: line) }
        #expect(shadow.isAlternate && shadow.columns == frame.size.columns && shadow.rows == frame.size.rows)
        let look = TerminalLook(depth: .indexed, theme: theme, glyphs: glyphs)
        for row in 0..<frame.size.rows {
            for column in 0..<frame.size.columns where frame[column, row].width > 0 {
                let (wanted, found) = (frame[column, row], shadow.alternate[column, row])
                let style = ResolvedStyle(wanted.style, look)
                let base = Glyph.scalars(of: wanted, glyphs) { _ in wanted.width }[0][0]
                let text = found.scalar == 0 ? 0x20 : found.scalar
                guard text == base.value, found.pen.background == ink(style.background) else {
                    Issue.record("at \(column), \(row): \(found) for \(wanted)")
                    return
                }
                let isBold = found.pen.attributes.contains(.bold) == style.attributes.contains(.bold)
                if base != " ", found.pen.foreground != ink(style.foreground) || !isBold {
                    Issue.record("at \(column), \(row): \(found.pen) for \(style)")
                    return
                }
                cells += 1
            }
        }
    }

    private func ink(_ number: Int?) -> ShadowColor { number.map { .indexed(UInt8($0)) } ?? .standard }

    private mutating func play(line: String) throws {
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
        if let header = json as? [String: Any] {
            #expect(header["version"] as? Int == 2)
            let size = (header["width"] as? Int, header["height"] as? Int)
            return shadow.resize(columns: try #require(size.0), rows: try #require(size.1))
        }
        let event = try #require(json as? [Any])
        #expect(event.count == 3 && event[0] is Double)
        let data = try #require(event[2] as? String)
        if event[1] as? String == "r" {
            let size = data.split(separator: "x").compactMap { Int($0) }
            return shadow.resize(columns: size[0], rows: size[1])
        }
        Array(data.utf8).withUnsafeBufferPointer { buffer in
            tokenizer.split(buffer) { token, bytes in _ = shadow.perform(token, bytes, &sequence) }
        }
    }
}
