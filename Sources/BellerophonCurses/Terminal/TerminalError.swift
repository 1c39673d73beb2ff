/// Why a full-screen terminal is not available. Each description is one line that states a remedy.
public enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// `TERM` is not set.
    case noTerm
    /// No description of the terminal in `TERM` is installed.
    case unknownTerm(String)
    /// The terminal in `TERM` cannot position the cursor.
    case dumbTerm(String)
    /// Direct colours were requested, and the description of the terminal in `TERM` has none.
    case noDirectColors(String)
    /// The terminal could not be opened for another reason; the values are `TERM` and the system's reason, if there is one.
    case cannotOpen(String, String?)

    /// One line that states the problem and a remedy.
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
        case .noDirectColors(let name):
            "the description of the terminal \"\(name)\" (TERM) has no direct colours; try --color 256, "
                + "or TERM=xterm-direct if the terminal has them (package ncurses-term)"
        case .cannotOpen(let name, let reason):
            "the terminal \"\(name)\" could not be opened" + (reason.map { ": \($0)" } ?? "")
        }
    }
}

extension TerminalError {
    /// Throws the first reason why a full-screen program cannot run in a terminal.
    /// - Parameters:
    ///   - isTerminal: whether input and output are terminals.
    ///   - name: the value of `TERM`.
    ///   - knowledge: what is installed for a name: nothing (0 or less), a description without sequences to position the cursor and
    ///     clear the screen (1), or one with them.
    static func verify(isTerminal: Bool, name: String?, knowledge: (String) -> Int32) throws(TerminalError) {
        guard isTerminal else { throw .notATerminal }
        guard let name, !name.isEmpty else { throw .noTerm }
        let shown = String(name.prefix(64).filter { $0.isASCII && !$0.isNewline && $0 >= " " })
        guard name != "dumb" else { throw .dumbTerm(shown) }
        switch knowledge(name) {
        case ..<1: throw .unknownTerm(shown)
        case 1: throw .dumbTerm(shown)
        default: break
        }
    }
}
