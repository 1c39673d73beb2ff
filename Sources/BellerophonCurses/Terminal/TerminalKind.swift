/// What a terminal's name says of the things that no terminfo entry tells.
struct TerminalKind: Equatable, Sendable {
    /// Whether sequences that it does not know are swallowed, so that hyperlinks and the clipboard can be tried.
    let takesOperatingSystemCommands: Bool

    /// - Parameter environment: of the program; `TERM` is read.
    init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        let known = [
            "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "konsole",
            "gnome", "vte", "iterm", "rxvt", "st-", "mintty", "nsterm", "rio",
        ]
        takesOperatingSystemCommands = known.contains { name.hasPrefix($0) } || name == "st"
    }
}
