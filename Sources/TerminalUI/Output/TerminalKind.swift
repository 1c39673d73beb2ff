/// Capabilities of a terminal that terminfo does not describe, derived from its name.
package struct TerminalKind: Equatable, Sendable {
    /// Whether the terminal ignores unknown control sequences, so that hyperlinks and the clipboard can be tried.
    package let takesOperatingSystemCommands: Bool

    /// - Parameter environment: the program's environment; `TERM` is read.
    package init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        let known = [
            "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "konsole",
            "gnome", "vte", "iterm", "rxvt", "st-", "mintty", "nsterm", "rio",
        ]
        takesOperatingSystemCommands = known.contains { name.hasPrefix($0) } || name == "st"
    }
}
