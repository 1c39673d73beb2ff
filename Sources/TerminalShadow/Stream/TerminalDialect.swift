/// What control sequences mean on a terminal where terminals differ, and how the terminal encodes characters.
package struct TerminalDialect: Equatable, Sendable {
    /// Terminals that interpret sequences alike.
    package enum Family: Equatable, Sendable {
        /// xterm, and all that follow it. Also what is not known.
        case xterm
        case tmux
        /// GNU screen.
        case screen
        /// The console of Linux without a graphical terminal.
        case linuxConsole
    }

    package var family: Family
    /// Whether characters are encoded in UTF-8. Otherwise each byte from 160 on is a character in one cell.
    package var isUTF8: Bool

    package init(_ family: Family = .xterm, isUTF8: Bool = true) {
        self.family = family
        self.isUTF8 = isUTF8
    }

    /// - Parameter environment: the program's environment; `TERM`, `TMUX`, `STY` and the variables of the locale are read.
    package init(environment: [String: String]) {
        family = Self.family(environment)
        isUTF8 = Self.isUTF8(environment)
    }

    private static func family(_ environment: [String: String]) -> Family {
        let name = environment["TERM"] ?? ""
        if name.hasPrefix("tmux") { return .tmux }
        // The name in older versions of tmux, too. A screen inside tmux has both variables.
        if name.hasPrefix("screen") { return isSet("TMUX", in: environment) && !isSet("STY", in: environment) ? .tmux : .screen }
        return name == "linux" || name.hasPrefix("linux-") ? .linuxConsole : .xterm
    }

    private static func isSet(_ name: String, in environment: [String: String]) -> Bool { environment[name]?.isEmpty == false }

    /// Whether the locale encodes in UTF-8. A locale that names no encoding says nothing about the terminal, as in `LANG=C`.
    private static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        guard let dot = locale.firstIndex(of: ".") else { return !locale.hasSuffix("@euro") }
        let encoding = locale[locale.index(after: dot)...].prefix { $0 != "@" }.lowercased().filter { $0 != "-" }
        return encoding == "utf8" || encoding.isEmpty
    }

    // MARK: What differs

    /// Whether a byte after ESC begins a control string. `k` begins a title, and `!` a message of GNU screen.
    func introducesString(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"): true
        case UInt8(ascii: "k"): family == .tmux || family == .screen
        case UInt8(ascii: "!"): family == .screen
        default: false
        }
    }

    /// Whether switching to the alternate screen saves the cursor in a place of its own, which DECSC and DECRC do not use.
    var switchHasOwnSlot: Bool { family == .tmux || family == .screen }

    /// Whether the switch to the alternate screen and back leaves alone what DECSC has saved. GNU screen changes it.
    var switchKeepsSavedCursor: Bool { family == .tmux }

    /// Whether DECSC has one place for both screens.
    var sharesSavedCursor: Bool { family == .tmux || family == .screen }

    /// Whether DECRC brings back that the next character goes to the next line.
    var savesPendingWrap: Bool { family != .tmux }

    /// Whether the private mode 1048 saves and restores the cursor.
    var hasCursorMode: Bool { family == .xterm || family == .screen }

    /// How far REP repeats a character.
    enum Repetition { case never, toMargin, throughScreen }

    var repetition: Repetition {
        switch family {
        case .xterm: .throughScreen
        case .tmux: .toMargin
        case .screen, .linuxConsole: .never
        }
    }
}
