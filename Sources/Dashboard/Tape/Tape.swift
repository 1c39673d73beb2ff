import BellerophonBase
import Foundation
import TerminalUI

/// The frames of a screen as the lines of an asciicast, version 2 (docs.asciinema.org/manual/asciicast/v2). A pure value.
///
/// The recording does not depend on the terminal: it is for one with 256 colours that understands the sequences of xterm. Only
/// the cells that differ from the frame before are written. Links are left out, because not every player knows them.
package struct Tape: Sendable {
    private let title: String
    private let date: Date
    private let glyphs: GlyphStyle
    private var writer: FrameWriter
    /// The size of the last frame; nil before the first.
    private var size: Size?
    private var latest = Duration.zero

    /// - Parameters:
    ///   - title: the title in the header.
    ///   - date: the time of the recording, for the header.
    ///   - theme: the colours of roles.
    ///   - glyphs: the characters of lines, marks and drawings.
    package init(title: String, date: Date, theme: ColorTheme = .dark, glyphs: GlyphStyle = .unicode) {
        (self.title, self.date, self.glyphs) = (title, date, glyphs)
        writer = Self.writer(theme, glyphs)
    }

    /// Takes the colours of roles from another theme from the next frame on.
    package mutating func use(_ theme: ColorTheme) { writer = Self.writer(theme, glyphs) }

    /// The lines that show a frame, without their ends; none if it shows the same as the frame before or has no cells.
    ///
    /// The header comes with the first frame. A frame of another size than the one before is preceded by a change of the size.
    /// - Parameter time: the time since the start of the recording. A time before the last one counts as the last one.
    package mutating func lines(for frame: Frame, at time: Duration) -> [String] {
        guard !frame.size.isEmpty else { return [] }
        var lines: [String] = []
        var start = ""
        if let size {
            if size != frame.size { lines.append(event("r", "\(frame.size.columns)x\(frame.size.rows)", at: time)) }
        } else {
            lines.append(header(frame.size))
            start = "\u{1B}[?1049h\u{1B}[2J"
        }
        size = frame.size
        let output = start + String(decoding: writer.bytes(for: frame), as: UTF8.self)
        if !output.isEmpty { lines.append(event("o", output, at: time)) }
        return lines
    }

    /// The line that gives the terminal back, for the end of the recording; nil if no frame was recorded.
    package mutating func end(at time: Duration) -> String? {
        size.map { _ in event("o", "\u{1B}[?25h\u{1B}[?1049l", at: time) }
    }

    private static func writer(_ theme: ColorTheme, _ glyphs: GlyphStyle) -> FrameWriter {
        FrameWriter(TerminalLook(depth: .indexed, theme: theme, glyphs: glyphs), hyperlinks: false)
    }

    private func header(_ size: Size) -> String {
        let time = Int(date.timeIntervalSince1970)
        return #"{"version": 2, "width": \#(size.columns), "height": \#(size.rows), "timestamp": \#(time), "#
            + #""title": \#(JSONText.quoted(title)), "env": {"TERM": "xterm-256color"}}"#
    }

    /// `[1.250, "o", "text"]`
    private mutating func event(_ code: String, _ data: String, at time: Duration) -> String {
        latest = max(latest, time)
        let (seconds, attoseconds) = latest.components
        let milliseconds = String(1000 + attoseconds / 1_000_000_000_000_000).dropFirst()
        return "[\(seconds).\(milliseconds), \"\(code)\", \(JSONText.quoted(data))]"
    }
}
