import BellerophonCurses
import CNcurses
import Foundation

/// A host that draws the whole screen repeatedly, and crashes on another thread meanwhile.
@MainActor
enum CrashingApp {
    static func run() {
        guard let screen = cncurses_open(), let window = cncurses_stdscr() else { exit(1) }
        let overlay = CursesOverlayWindow()
        for count in 0... {
            for row in 0..<cncurses_lines() {
                _ = cncurses_put_text(window, row, 0, String(repeating: count.isMultiple(of: 2) ? "tick" : "tock", count: 20), 0)
            }
            clearok(cncurses_curscr(), true)
            refresh()
            if count == 20 { Thread.detachNewThread { crash() } }
        }
        overlay.close()
        delscreen(screen)
    }

    /// An out-of-bounds access, which traps.
    private nonisolated static func crash() {
        let nothing: [Int] = []
        print(nothing[Int(CommandLine.argc)])
    }
}
