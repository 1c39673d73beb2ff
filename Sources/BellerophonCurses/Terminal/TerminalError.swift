/// Why no full-screen terminal can be had. Each description is one line that says what to do.
public enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// `TERM` is not set.
    case noTerm
    /// `TERM` names a terminal that this machine has no description of.
    case unknownTerm(String)
    /// `TERM` names a terminal that can't place the cursor.
    case dumbTerm(String)
    /// The locale's character set is not UTF-8.
    case notUTF8(locale: String)
    /// ncurses could not be started for another reason.
    case cannotOpen(String)

    public var description: String {
        switch self {
        case .notATerminal:
            "this needs a terminal, but its input or output is a file or a pipe; run it in a terminal window"
        case .noTerm:
            "TERM is not set, so the terminal is unknown; try TERM=xterm-256color"
        case .unknownTerm(let name):
            "no description of the terminal \"\(name)\" (TERM) is installed; try TERM=xterm-256color or install ncurses-term"
        case .dumbTerm(let name):
            "the terminal \"\(name)\" (TERM) can't place text on the screen; run it in a full terminal"
        case .notUTF8(let locale):
            "the locale \"\(locale)\" is not a UTF-8 one; try LC_ALL=C.UTF-8"
        case .cannotOpen(let name):
            "the terminal \"\(name)\" could not be opened"
        }
    }
}

/// What is known of the terminal before it is opened.
struct TerminalFacts: Equatable, Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var environment: [String: String]
    /// Whether a description of `TERM` is installed.
    var isKnown: Bool
    /// Whether the description says how to place the cursor and clear the screen.
    var canPlaceCursor: Bool
    var isUTF8: Bool

    /// Throws the first reason why a full-screen program cannot run here.
    func check() throws(TerminalError) {
        guard isInputTerminal, isOutputTerminal else { throw .notATerminal }
        guard let name = environment["TERM"], !name.isEmpty else { throw .noTerm }
        let shown = String(name.prefix(64).filter { $0.isASCII && !$0.isNewline && $0 >= " " })
        guard name != "dumb" else { throw .dumbTerm(shown) }
        guard isKnown else { throw .unknownTerm(shown) }
        guard canPlaceCursor else { throw .dumbTerm(shown) }
        guard isUTF8 else { throw .notUTF8(locale: locale) }
    }

    /// The locale's name as the C library finds it.
    private var locale: String {
        ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }
}
