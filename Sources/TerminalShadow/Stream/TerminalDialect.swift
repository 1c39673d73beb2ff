internal import TerminalUI

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
        /// libvterm, in the terminals of Neovim and Emacs.
        case libvterm
    }

    package var family: Family
    /// Whether characters are encoded in UTF-8. Otherwise each byte from 160 on is a character in one cell.
    package var isUTF8: Bool
    /// Whether U+FE0F makes a narrow emoji before it wide. Versions of the same terminal differ.
    package var widensEmoji = false
    /// Whether a wide character after U+200D joins the one before it and takes no cells of its own. Versions of the same terminal differ.
    package var joinsEmoji: Bool

    package init(_ family: Family = .xterm, isUTF8: Bool = true) {
        self.family = family
        self.isUTF8 = isUTF8
        joinsEmoji = family == .tmux
    }

    /// - Parameter environment: the program's environment; `TERM`, `TMUX`, `STY`, `NVIM` and the like, and the variables of the locale are read.
    package init(environment: [String: String]) {
        self.init(Self.family(environment), isUTF8: Self.isUTF8(environment))
    }

    private static func family(_ environment: [String: String]) -> Family {
        let name = environment["TERM"] ?? ""
        if name.hasPrefix("tmux") { return .tmux }
        // The name in older versions of tmux, too. A screen inside tmux has both variables.
        if name.hasPrefix("screen") { return isSet("TMUX", in: environment) && !isSet("STY", in: environment) ? .tmux : .screen }
        if name == "linux" || name.hasPrefix("linux-") { return .linuxConsole }
        if isSet("NVIM", in: environment) || environment["INSIDE_EMACS"] == "vterm" { return .libvterm }
        // What tmux says of itself, also where it gives programs the name of another terminal.
        return environment["TERM_PROGRAM"] == "tmux" && isSet("TMUX", in: environment) ? .tmux : .xterm
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

    /// Whether a device control string can hold sequences for the terminal around this one. Each ESC in it is doubled.
    var passesThrough: Bool { family == .tmux }

    /// Whether switching to the alternate screen saves the cursor in a place of its own, which DECSC and DECRC do not use.
    var switchHasOwnSlot: Bool { family == .tmux || family == .screen }

    /// Whether insert mode makes room for one cell also before a wide character, which then replaces the next cell.
    var insertsOneCell: Bool { family == .libvterm }

    /// Whether every switch to the alternate screen erases it, also where it is shown already.
    var switchErases: Bool { family == .libvterm }

    /// Whether the cells of the alternate screen may be seen again after a mode has switched to the main screen.
    func keepsAlternateCells(after mode: Int) -> Bool { mode != 1047 && !switchHasOwnSlot }

    /// Whether the switch to the alternate screen and back leaves alone what DECSC has saved. GNU screen changes it.
    var switchKeepsSavedCursor: Bool { family == .tmux }

    /// Whether DECSC has one place for both screens.
    var sharesSavedCursor: Bool { family == .tmux || family == .screen }

    /// Whether DECRC brings back that the next character goes to the next line.
    var savesPendingWrap: Bool { family != .tmux }

    /// Whether DECRC moves to the top and takes defaults if nothing was saved. GNU screen then ignores it.
    var restoresUnsavedCursor: Bool { family != .screen }

    /// Whether the place behind the last column, where the next character goes to the next line, is one that the cursor can be moved from
    /// and to. Elsewhere it is a mark on the last column, which most movements remove.
    var hasPlaceBehindMargin: Bool { family == .tmux }

    /// Whether erasing in the line or the display, from anywhere, makes the next character stay in the last column.
    var erasureEndsWrap: Bool { family == .xterm }

    /// Whether the next character goes to the next line also if automatic wrapping was off when the last column was written.
    var wrapOutlastsMode: Bool { family == .xterm || family == .tmux }

    /// Whether inserting and deleting lines keeps the column, and works outside of the scroll region.
    var shiftsLinesAnywhere: Bool { family == .tmux }

    /// Whether a new scroll region moves the cursor to the top of the screen also in origin mode.
    var regionIgnoresOrigin: Bool { family == .tmux }

    /// Whether DECRC brings the cursor back above the scroll region in origin mode.
    var restoresAboveRegion: Bool { family == .xterm || family == .tmux }

    /// Whether VPR stops at the end of the screen, and not of the scroll region.
    var verticalMoveLeavesRegion: Bool { family == .xterm }

    /// Whether a line that scrolls in because a line was full has the default background.
    var wrapsInDefaultBackground: Bool { family == .tmux }

    /// Whether BS and CUB go to the line before with mode 45.
    var hasReverseWrap: Bool { family == .xterm }

    /// Whether restoring a private mode that was never saved turns it off, and restoring the origin mode moves the cursor to the top.
    var restoresUnsavedModes: Bool { family == .xterm }

    /// Whether faulty UTF-8 is dropped. Elsewhere it is shown as U+FFFD.
    var dropsFaultyText: Bool { family == .tmux }

    /// The number of bytes of a character that begins with a byte, at most ``longestCharacter``; 1 if none begins with it.
    func length(ofCharacter lead: UInt8) -> Int {
        switch lead {
        case 0xC0, 0xC1: family == .xterm ? 2 : 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        case 0xF5...0xF7: family == .xterm ? 4 : 1
        case 0xF8...0xFB: family == .xterm ? 5 : 1
        case 0xFC, 0xFD: family == .xterm ? 6 : 1
        default: 1
        }
    }

    static let longestCharacter = 6

    /// Whether a byte belongs to a character that has begun. tmux counts any byte outside ASCII.
    func continuesCharacter(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 || family == .tmux && byte >= 0x80 }

    /// Decodes the first character of a text that begins with a byte outside ASCII.
    /// - Returns: the character, nil for a faulty one, and the number of bytes that the terminal takes for it.
    func character(_ text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt32?, length: Int) {
        let lead = text[0], length = length(ofCharacter: lead)
        guard length > 1 else { return (nil, 1) }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length)), isFaulty = false
        for index in 1..<length {
            guard index < text.count, continuesCharacter(text[index]) else { return (nil, index) }
            if text[index] & 0xC0 != 0x80 { isFaulty = true }
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
            // Others take the longest valid beginning for a faulty character (Unicode, section 3.9).
            if index == 1, family != .xterm, family != .tmux, !Self.isValid(lead: lead, second: text[1]) { return (nil, 1) }
        }
        let lowest: UInt32 = [0, 0, 0x80, 0x800, 0x10000, 0x20_0000, 0x400_0000][length]
        return (isFaulty || scalar < lowest || Unicode.Scalar(scalar) == nil ? nil : scalar, length)
    }

    private static func isValid(lead: UInt8, second: UInt8) -> Bool {
        switch lead {
        case 0xE0: second >= 0xA0
        case 0xED: second < 0xA0
        case 0xF0: second >= 0x90
        case 0xF4: second < 0x90
        default: true
        }
    }

    /// Whether a full reset leaves the alternate screen.
    var resetLeavesAlternate: Bool { family != .tmux }

    /// Whether a full reset keeps what DECSC has saved on the alternate screen.
    var resetKeepsSavedAlternate: Bool { family == .xterm }

    /// Whether the modes of ANSI, beside insertion, are known.
    var hasLinefeedMode: Bool { family != .tmux }

    /// Whether the private mode 66 is the keypad's.
    var hasKeypadMode: Bool { family != .tmux }

    /// The attributes of text that DECSTR does not end.
    func keptBySoftReset(_ attributes: ShadowPen.Attributes) -> ShadowPen.Attributes {
        guard family == .xterm else { return [] }
        var kept = attributes.intersection([.dim, .struckOut])
        if attributes.underline == 2 { kept.underline = 2 }
        return kept
    }

    /// Whether DECSTR resets the style of the cursor.
    var softResetEndsCursorStyle: Bool { family == .xterm }

    /// Whether the change of columns erases the screen, although the columns stay.
    var columnModeErases: Bool { family == .tmux }

    /// Whether a wide character in the first column stays when its right half is overwritten. Nothing can draw that again.
    var leavesHalfInFirstColumn: Bool { family == .tmux }

    /// Whether DECALN ends the origin mode and the attributes of text.
    var alignmentEndsOrigin: Bool { family == .xterm }

    /// The bytes that stand for other characters in DEC's special graphics.
    var graphicBytes: ClosedRange<UInt8> { family == .tmux ? 0x20...0x7E : 0x5F...0x7E }

    /// Whether switching to the alternate screen clears it in the default background, and not in the present one.
    var switchClearsInDefaultBackground: Bool { family == .tmux }

    /// Whether `CSI ^` scrolls down.
    var hasScrollDownByCaret: Bool { family == .xterm }

    /// What the halves of a wide character become when something is written over one of them: spaces.
    enum Halves: Equatable, Sendable {
        case ownRendition
        /// In the background of what is written.
        case presentBackground
        /// In the default rendition.
        case standard
    }

    var halves: Halves {
        switch family {
        case .xterm: .presentBackground
        case .tmux: .standard
        case .screen, .linuxConsole, .libvterm: .ownRendition
        }
    }

    /// Whether the terminal acts on a private mode. tmux does not know the oldest kind of mouse reports, and libvterm not the oldest
    /// switch of the screen.
    func knows(mode: Int) -> Bool {
        switch family {
        case .tmux: mode != 9
        case .libvterm: mode != 47
        case .xterm, .screen, .linuxConsole: true
        }
    }

    /// Whether `CSI 0 T` scrolls a line. xterm takes it for the beginning of highlight tracking.
    var scrollsDownByZero: Bool { family != .xterm }

    /// Whether the terminal acts on a control sequence. tmux ignores those that it does not know.
    func knows(_ sequence: ControlSequence) -> Bool {
        guard family == .tmux else { return true }
        switch (Unicode.Scalar(sequence.marker), Unicode.Scalar(sequence.intermediate)) {
        case ("\0", "\0"): return !Self.unknownToTmux.contains(sequence.final)
        case ("?", "\0"): return !Self.privateUnknownToTmux.contains(sequence.final)
        case ("\0", "!"), ("\0", "\""): return false
        default: return true
        }
    }

    private static let unknownToTmux = Array("I^aei".utf8)
    private static let privateUnknownToTmux = Array("JKWirs".utf8)

    /// Whether the private mode 1048 saves and restores the cursor.
    var hasCursorMode: Bool { family != .tmux && family != .linuxConsole }

    /// How far REP repeats a character.
    enum Repetition { case never, toMargin, throughScreen }

    var repetition: Repetition {
        switch family {
        case .xterm, .libvterm: .throughScreen
        case .tmux: .toMargin
        case .screen, .linuxConsole: .never
        }
    }
}
