/// The name of the terminal's program, from the environment.
enum TerminalName {
    /// Variables that one terminal sets for its programs. What runs inside of another terminal comes first.
    private static let variables: [(variable: String, name: String)] = [
        ("TMUX", "tmux"), ("ZELLIJ", "zellij"), ("STY", "screen"), ("NVIM", "neovim"), ("INSIDE_EMACS", "emacs"),
        ("KITTY_WINDOW_ID", "kitty"), ("WEZTERM_PANE", "wezterm"), ("GHOSTTY_RESOURCES_DIR", "ghostty"),
        ("ALACRITTY_WINDOW_ID", "alacritty"), ("ALACRITTY_SOCKET", "alacritty"), ("KONSOLE_VERSION", "konsole"),
        ("WT_SESSION", "windows-terminal"), ("GNOME_TERMINAL_SCREEN", "gnome-terminal"), ("TERMINATOR_UUID", "terminator"),
        ("TILIX_ID", "tilix"), ("TERMUX_VERSION", "termux"), ("XTERM_VERSION", "xterm"), ("VTE_VERSION", "vte"),
    ]

    /// Descriptions of terminals whose name is not their beginning.
    private static let descriptions = ["xterm-kitty": "kitty", "xterm-ghostty": "ghostty"]

    /// The ends of a description that say what the terminal can do.
    private static let abilities = [
        "-256color", "-88color", "-16color", "-color", "-direct", "-truecolor", "-bce", "-italic", "-m",
    ]

    /// `TERM_PROGRAM` counts first, then a variable of one terminal, then the name in `TERM`. nil if nothing is known.
    static func of(_ environment: [String: String]) -> String? {
        if let name = environment["TERM_PROGRAM"].flatMap(MachineFacts.name) { return name }
        if let known = variables.first(where: { environment[$0.variable]?.isEmpty == false }) { return known.name }
        return environment["TERM"].flatMap(MachineFacts.name).flatMap(described)
    }

    private static func described(_ description: String) -> String? {
        if let name = descriptions[description] { return name }
        var name = description[...]
        while let ability = abilities.first(where: name.hasSuffix) { name = name.dropLast(ability.count) }
        return name.isEmpty ? nil : String(name)
    }
}
