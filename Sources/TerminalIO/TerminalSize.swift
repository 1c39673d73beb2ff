package import CPty
import TerminalUI

/// A terminal's size in cells, and in pixels where that is known. Programs that draw pictures read both.
package struct TerminalSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int
    /// The width in pixels, or 0.
    package var width: Int
    /// The height in pixels, or 0.
    package var height: Int

    package init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.width = width
        self.height = height
    }

    /// The largest size that is drawn. The system allows 65,535 columns and rows, which no terminal has, and libraries fail for
    /// them.
    private static let mostColumns = 1000, mostRows = 500

    /// The size in cells as far as it is drawn, at least one cell.
    package var cells: Size {
        Size(columns: min(max(1, columns), Self.mostColumns), rows: min(max(1, rows), Self.mostRows))
    }

    /// The present size of an open terminal; nil if it does not know it.
    package init?(of descriptor: Int32) {
        var size = cpty_size()
        guard cpty_get_size(descriptor, &size) == 0 else { return nil }
        self.init(size)
    }

    package init(_ size: cpty_size) {
        self.init(columns: Int(size.columns), rows: Int(size.rows), width: Int(size.width), height: Int(size.height))
    }

    /// The size for the system; each number is clamped to 0...65535.
    package var system: cpty_size {
        cpty_size(
            columns: UInt16(clamping: columns), rows: UInt16(clamping: rows), width: UInt16(clamping: width),
            height: UInt16(clamping: height)
        )
    }
}
