/// Capabilities of a terminal that terminfo does not describe, derived from its name.
package struct TerminalKind: Equatable, Sendable {
    /// Whether the terminal ignores unknown control sequences, so that hyperlinks and the clipboard can be tried.
    package let takesOperatingSystemCommands: Bool
    /// Whether the terminal takes notifications with a title (OSC 777).
    package let takesNotifications: Bool

    /// - Parameter environment: the program's environment; `TERM` and `VTE_VERSION` are read.
    package init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        let known = [
            "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "konsole",
            "gnome", "vte", "iterm", "rxvt", "st-", "mintty", "nsterm", "rio",
        ]
        takesNotifications =
            environment["VTE_VERSION"] != nil || ["rxvt", "foot", "gnome", "vte"].contains { name.hasPrefix($0) }
        takesOperatingSystemCommands = known.contains { name.hasPrefix($0) } || name == "st"
    }
}
