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
    /// - Parameters:
    ///   - interrupts: whether Control-C is a signal. Otherwise it is a key.
    ///   - stops: whether Control-Z is one.
    package func screen(interrupts: Bool, stops: Bool) -> TerminalModes {
        var modes = system
        cpty_make_screen(&modes, interrupts, stops)
        return TerminalModes(modes)
    }

    /// Sets the modes of a terminal at once. Waiting input is kept.
    package func apply(to descriptor: Int32) throws(SystemError) {
        var modes = system
        _ = try SystemError.check("set the terminal's modes", cpty_set_modes(descriptor, &modes))
    }
}
