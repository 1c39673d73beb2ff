/// Everything that tmux knows about a terminal: its cells, scrollback, cursor and modes.
public struct TerminalSnapshot: Equatable, Sendable {
    /// The variables of tmux, such as `cursor_x` and `mouse_any_flag`.
    public var variables: [String: String]
    /// The scrollback and the screen, one string per row: the text, with `<…>` before each change of the attributes. Blanks
    /// without attributes at the end of a row are left out.
    public var rows: [String]

    /// The variables that a snapshot contains. The title is last, because it may contain any character.
    fileprivate static let names = [
        "alternate_on", "cursor_x", "cursor_y", "cursor_flag", "insert_flag", "keypad_flag", "keypad_cursor_flag",
        "mouse_all_flag", "mouse_any_flag", "mouse_button_flag", "mouse_sgr_flag", "mouse_standard_flag", "mouse_utf8_flag",
        "origin_flag", "wrap_flag", "scroll_region_upper", "scroll_region_lower", "history_size", "pane_width",
        "pane_height", "pane_tabs", "pane_title",
    ]

    /// A variable's value; empty if there is none of that name.
    public func callAsFunction(_ name: String) -> String { variables[name] ?? "" }

    /// What differs from an earlier snapshot, one line for each variable and row; empty if nothing does.
    public func differences(from earlier: TerminalSnapshot) -> String {
        var lines = Self.names.compactMap { name in
            variables[name] == earlier.variables[name] ? nil : "\(name): \(earlier(name)), then \(self(name))"
        }
        if rows.count != earlier.rows.count { lines.append("rows: \(earlier.rows.count), then \(rows.count)") }
        for (number, (before, after)) in zip(earlier.rows, rows).enumerated() where before != after {
            lines.append("row \(number): \(before.debugDescription), then \(after.debugDescription)")
        }
        return lines.joined(separator: "\n")
    }
}

extension TerminalUnderTest {
    /// The terminal's complete state.
    public func snapshot() async throws -> TerminalSnapshot {
        let format = TerminalSnapshot.names.map { "#{\($0)}" }.joined(separator: "|")
        let answer = try await tmux.run([
            "display-message", "-p", "-t", Tmux.session, format, ";",
            "capture-pane", "-p", "-e", "-N", "-S", "-", "-t", Tmux.session,
        ])
        let lines = answer.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let values = (lines.first ?? "").split(
            separator: "|", maxSplits: TerminalSnapshot.names.count - 1, omittingEmptySubsequences: false)
        guard values.count == TerminalSnapshot.names.count else { throw TestError("tmux answered \(lines.first ?? "")") }
        let pairs = zip(TerminalSnapshot.names, values.map(String.init))
        var reader = StyledRowReader()
        return TerminalSnapshot(
            variables: Dictionary(uniqueKeysWithValues: pairs), rows: lines.dropFirst().map { reader.read($0) })
    }

    /// The title that a program has set by escape sequence.
    public var title: String {
        get async throws { try await ask("#{pane_title}") }
    }
}

/// Reads the rows of `capture-pane -e`. Their sequences say only what changes, also from one row to the next.
private struct StyledRowReader {
    private var attributes: Set<String> = []
    /// The codes of the colours, by `38` (foreground), `48` (background) and `58` (underline).
    private var colors: [String: String] = [:]

    /// The row with its attributes spelled out.
    mutating func read(_ line: String) -> String {
        var row = "", run = "", shown = ""
        var scalars = line.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}":
                let sequence = scalars.prefix { $0 != "m" }
                scalars = scalars.dropFirst(sequence.count + 1)
                apply(String(sequence.dropFirst()).split(separator: ";", omittingEmptySubsequences: false).map(String.init)[...])
            case "\u{0E}": attributes.insert("lines")
            case "\u{0F}": attributes.remove("lines")
            default:
                if style != shown {
                    row += run + "<\(style)>"
                    (run, shown) = ("", style)
                }
                run.unicodeScalars.append(scalar)
            }
        }
        guard shown.isEmpty else { return row + run }
        while run.last == " " { run.removeLast() }
        return run.isEmpty && row.hasSuffix("<>") ? String(row.dropLast(2)) : row + run
    }

    private var style: String { (attributes.sorted() + colors.values.sorted()).joined(separator: " ") }

    private mutating func apply(_ parameters: ArraySlice<String>) {
        var codes = parameters
        while let code = codes.popFirst() {
            switch Int(code.prefix { $0 != ":" }) ?? 0 {
            case 0: (attributes, colors) = ([], [:])
            case let number where [38, 48, 58].contains(number):
                let count = code.contains(":") ? 0 : codes.first == "5" ? 2 : 4
                colors["\(number)"] = ([code] + codes.prefix(count)).joined(separator: ":")
                codes = codes.dropFirst(count)
            case 30...37, 90...97: colors["38"] = code
            case 40...47, 100...107: colors["48"] = code
            case 39: colors["38"] = nil
            case 49: colors["48"] = nil
            case 59: colors["58"] = nil
            default: attributes.insert(code)
            }
        }
    }
}
