package import CPty

/// The modes of a terminal's line discipline, as one value.
package struct TerminalModes: Sendable {
    package let system: termios

    /// The modes of an open terminal; nil if it is no terminal.
    package init?(of descriptor: Int32) {
        var modes = termios()
        if cpty_get_modes(descriptor, &modes) != 0 { return nil }
        system = modes
    }

    package init(_ modes: termios) {
        system = modes
    }

    /// The same modes with every byte passed on unchanged and at once.
    package var raw: TerminalModes {
        var modes = system
        cpty_make_raw(&modes)
        return TerminalModes(modes)
    }

    /// The same modes for a full-screen program: every key at once and without echo.
    /// - Parameter signals: whether Control-C and Control-Z are signals. Otherwise they are keys.
    package func screen(signals: Bool) -> TerminalModes {
        var modes = system
        cpty_make_screen(&modes, signals)
        return TerminalModes(modes)
    }

    /// Sets the modes of a terminal at once. Waiting input is kept.
    package func apply(to descriptor: Int32) throws(SystemError) {
        var modes = system
        _ = try SystemError.check("set the terminal's modes", cpty_set_modes(descriptor, &modes))
    }
}
