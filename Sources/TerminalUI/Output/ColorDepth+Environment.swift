extension ColorDepth {
    /// The depth of a terminal by what its environment says, for programs that ask no terminal library.
    ///
    /// The rules, in this order:
    /// - `NO_COLOR`, present and not empty: no colours (https://no-color.org).
    /// - `TERM` absent, empty or `dumb`, or ending in `-m` or `-mono`: no colours (term(7) of ncurses).
    /// - `COLORTERM` is `truecolor` or `24bit`: direct colours (https://github.com/termstandard/colors). Not if `TERM` begins
    ///   with `screen`: the variable then is of the terminal outside, and GNU Screen before 5.0 takes the components of a
    ///   direct colour for other attributes.
    /// - Otherwise the higher of what the name in `TERM` promises and what terminfo says. A name contains `-direct`
    ///   (user_caps(5) of ncurses), `256color`, `88color` or `16color`, or is one of a terminal whose documentation states
    ///   direct colours; `COLORTERM` does not pass through ssh, which leaves only the name. 2²⁴ colours in terminfo are
    ///   direct ones.
    /// - Parameters:
    ///   - environment: the program's environment; `NO_COLOR`, `TERM` and `COLORTERM` are read.
    ///   - terminfoColors: the number of colours in terminfo (`colors`); nil if it was not looked up or `TERM` has no entry.
    package init(environment: [String: String], terminfoColors: Int?) {
        let name = environment["TERM"] ?? ""
        guard !Self.isRefused(in: environment), !Self.isMono(name) else {
            self = .mono
            return
        }
        if ["truecolor", "24bit"].contains(environment["COLORTERM"]), !name.hasPrefix("screen") {
            self = .direct
            return
        }
        let described = terminfoColors.map { ColorDepth(colors: $0, isDirect: $0 >= 1 << 24) }
        self = max(Self.promised(by: name) ?? .mono, described ?? Self.usual(of: name))
    }

    /// Whether the environment turns colours off: `NO_COLOR` is present and not empty (https://no-color.org).
    package static func isRefused(in environment: [String: String]) -> Bool {
        environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    }

    private static func isMono(_ name: String) -> Bool {
        name.isEmpty || name == "dumb" || name.hasSuffix("-m") || name.hasSuffix("-mono")
    }

    /// The colours that a terminal's name itself states; nil if it states none.
    private static func promised(by name: String) -> ColorDepth? {
        let direct = ["alacritty", "contour", "foot", "ghostty", "kitty", "rio", "wezterm", "xterm-ghostty", "xterm-kitty"]
        if name.contains("-direct") || direct.contains(where: { name == $0 || name.hasPrefix($0 + "-") }) {
            return .direct
        }
        if name.contains("256color") { return .indexed }
        return name.contains("88color") || name.contains("16color") ? .sixteen : nil
    }

    /// The colours of a terminal without an entry in terminfo: eight for the families that have always had them.
    private static func usual(of name: String) -> ColorDepth {
        let families = [
            "xterm", "screen", "tmux", "linux", "rxvt", "konsole", "gnome", "vte", "putty", "cygwin", "mintty", "iterm", "st-",
        ]
        return families.contains { name.hasPrefix($0) } || name == "st" ? .eight : .mono
    }
}
