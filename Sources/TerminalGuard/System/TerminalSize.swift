internal import CPty

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

    init(_ size: cpty_size) {
        self.init(columns: Int(size.columns), rows: Int(size.rows), width: Int(size.width), height: Int(size.height))
    }

    /// The size for the system; each number is clamped to 0...65535.
    var system: cpty_size {
        cpty_size(
            columns: UInt16(clamping: columns), rows: UInt16(clamping: rows), width: UInt16(clamping: width),
            height: UInt16(clamping: height)
        )
    }
}

/// The modes of a terminal's line discipline, as one value.
package struct TerminalModes: Sendable {
    let system: termios

    /// The modes of an open terminal; nil if it is no terminal.
    package init?(of descriptor: Int32) {
        var modes = termios()
        if cpty_get_modes(descriptor, &modes) != 0 { return nil }
        system = modes
    }

    private init(_ modes: termios) {
        system = modes
    }

    /// The same modes with every byte passed on unchanged and at once.
    package var raw: TerminalModes {
        var modes = system
        cpty_make_raw(&modes)
        return TerminalModes(modes)
    }

    /// Sets the modes of a terminal at once. Waiting input is kept.
    package func apply(to descriptor: Int32) throws(SystemError) {
        var modes = system
        _ = try SystemError.check("set the terminal's modes", cpty_set_modes(descriptor, &modes))
    }
}
