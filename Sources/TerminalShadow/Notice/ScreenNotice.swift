package import TerminalUI

/// One row of cells that stands over the screen of a program without the program's knowledge.
package struct ScreenNotice: Sendable {
    /// The edge of the screen that the notice stands at, if it is free.
    package enum Edge: Equatable, Sendable { case top, bottom }

    /// The cells. Only the first row of the frame is shown, at the right end of the terminal's row.
    package let frame: Frame
    package let edge: Edge
    /// Whether the notice goes for good as soon as the program changes its row. A screen reader would read it again with each paint.
    let isPaintedOnce: Bool
    private let writer: FrameWriter

    /// - Parameter writer: knows the colours and characters of the terminal.
    package init(_ frame: Frame, at edge: Edge = .top, writer: FrameWriter, isPaintedOnce: Bool = false) {
        self.frame = frame
        self.edge = edge
        self.writer = writer
        self.isPaintedOnce = isPaintedOnce
    }

    /// The bytes that paint the cells. They leave the cursor anywhere, without attributes.
    func bytes(at place: NoticePlace) -> [UInt8] {
        writer.bytes(painting: frame, at: Point(column: place.first, row: place.row), columns: place.end)
    }
}

/// The cells of a terminal that a notice takes.
struct NoticePlace: Equatable, Sendable {
    let row: Int
    /// The column of the notice's first cell.
    let first: Int
    /// The column after the notice's last cell.
    let end: Int
}
