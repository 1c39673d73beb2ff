import CNcurses
import Foundation
import TerminalUI

/// The program: its list, its input line, and its drawing with plain ncurses calls.
@MainActor
struct NotesApp {
    private var file: NoteFile
    private var selected = 0
    private var top = 0
    private var editor: Editor?
    private var remark = ""

    /// The note that is being edited.
    private struct Editor {
        /// The index of the edited note; nil for a new one.
        var index: Int?
        var text: String
    }

    init(file: NoteFile) { self.file = file }

    // MARK: Keys

    /// Handles a key. Returns false if it ends the program.
    mutating func handle(_ key: Key) -> Bool {
        remark = ""
        if editor != nil {
            edit(key)
            return true
        }
        switch key {
        case .character("q"): return false
        case .character("a"): editor = Editor(index: nil, text: "")
        case .character("e"), .enter: editSelected()
        case .character("d"), .delete:
            let index = selected
            change { try $0.remove(at: index) }
        case .up, .character("k"): selected -= 1
        case .down, .character("j"): selected += 1
        default: break
        }
        selected = min(max(0, selected), max(0, file.notes.count - 1))
        return true
    }

    private mutating func editSelected() {
        guard file.notes.indices.contains(selected) else { return }
        editor = Editor(index: selected, text: file.notes[selected])
    }

    private mutating func edit(_ key: Key) {
        guard var editor else { return }
        switch key {
        case .escape: return self.editor = nil
        case .enter:
            self.editor = nil
            change { try $0.put(editor.text, at: editor.index) }
            if editor.index == nil { selected = max(0, file.notes.count - 1) }
            return
        case .backspace: _ = editor.text.popLast()
        case .character(let character): editor.text.append(character)
        default: break
        }
        self.editor = editor
    }

    private mutating func change(_ change: (inout NoteFile) throws -> Void) {
        do { try change(&file) } catch { remark = "not saved: \(error.localizedDescription)" }
    }

    // MARK: Drawing

    /// Draws the whole screen.
    mutating func draw() {
        guard let screen = cncurses_stdscr() else { return }
        let rows = Int(getmaxy(screen)), columns = Int(getmaxx(screen))
        werase(screen)
        drawHeader(screen, columns: columns)
        drawList(screen, rows: rows, columns: columns)
        drawFooter(screen, row: rows - 1)
        curs_set(editor == nil ? 0 : 1)
        wrefresh(screen)
    }

    private func drawHeader(_ screen: UnsafeMutablePointer<WINDOW>, columns: Int) {
        let count = file.notes.count
        put(screen, 0, 1, "Notes", cncurses_a_bold() | attr_t(COLOR_PAIR(1)))
        put(screen, 0, 8, count == 1 ? "1 note" : "\(count) notes")
        let clock = Date().formatted(.dateTime.hour(.twoDigits(amPM: .omitted)).minute().second())
        if columns > 30 { put(screen, 0, columns - clock.count - 1, clock, attr_t(COLOR_PAIR(2))) }
        put(screen, 1, 0, String(repeating: "─", count: columns))
    }

    private mutating func drawList(_ screen: UnsafeMutablePointer<WINDOW>, rows: Int, columns: Int) {
        let visible = max(1, rows - 4)
        top = min(max(top, selected - visible + 1), selected)
        if file.notes.isEmpty, editor == nil { put(screen, 3, 3, "Nothing noted yet. Press a.") }
        for (offset, note) in file.notes.dropFirst(top).prefix(visible).enumerated() {
            let isSelected = top + offset == selected
            put(screen, 2 + offset, 1, isSelected ? "▸" : " ", attr_t(COLOR_PAIR(1)))
            put(screen, 2 + offset, 3, note, isSelected ? cncurses_a_bold() : 0)
        }
    }

    private func drawFooter(_ screen: UnsafeMutablePointer<WINDOW>, row: Int) {
        if let editor {
            let label = editor.index == nil ? " new: " : " edit: "
            put(screen, row, 0, label + editor.text)
        } else {
            put(screen, row, 1, remark.isEmpty ? "a add  e edit  d delete  ↑↓ move  q quit" : remark)
        }
    }

    private func put(
        _ screen: UnsafeMutablePointer<WINDOW>, _ row: Int, _ column: Int, _ text: String, _ attributes: attr_t = 0
    ) {
        _ = cncurses_put_text(screen, Int32(row), Int32(column), text, attributes)
    }
}
