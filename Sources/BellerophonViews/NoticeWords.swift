package import Bellerophon
package import TerminalUI

/// A notice in a row of a screen.
package enum NoticeWords {
    static let mark = "▲"

    /// The longest text for a number of columns. Where none fits, the shortest one is cut, but not the number behind it.
    package static func text(_ notice: OverlayNotice, columns: Int) -> String {
        let texts = notice.texts, behind = notice.behind
        if let text = texts.first(where: { CellText.width(of: $0) <= columns }) { return text }
        let words = String((texts.last ?? "").dropLast(behind.count))
        guard CellText.width(of: behind) + 2 <= columns else { return CellText.truncate(words, columns: columns) }
        return CellText.truncate(words, columns: columns - CellText.width(of: behind)) + behind
    }

    /// The row of the notice over a program's screen of this size.
    /// - Parameters:
    ///   - room: the columns that the notice may take.
    ///   - cursor: the program's cursor. In the first row of the screen, it moves the notice to the bottom.
    package static func banner(
        _ notice: OverlayNotice, size: Size, room: Banner.Room = .shared, cursor: Point? = nil
    ) -> Banner {
        let edge = cursor?.row == 0 ? Banner.Edge.bottom : .top
        guard notice.form == .line else { return Banner([TextLine(mark, style)], at: edge, room: .whole) }
        let columns = room.columns(of: size)
        // With the mark, and a space at both ends.
        var line = TextLine(" \(mark) \(text(notice, columns: max(0, columns - 4))) ", style)
        // A row that the notice takes as a whole is inverse as a whole.
        if room == .shared, columns == size.columns {
            line = line + TextLine(String(repeating: " ", count: max(0, columns - line.width)), style)
        }
        return Banner([line], at: edge, room: room)
    }

    private static let style = Theme.text.with(.reverse)
}
