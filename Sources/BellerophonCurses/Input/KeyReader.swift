import CNcurses
import Foundation
import TerminalUI

/// Reads keys from a pad of one cell, because `wgetch` on a window would refresh it.
@MainActor
final class KeyReader {
    private let pad: UnsafeMutablePointer<WINDOW>
    private var decoder = KeyDecoder()
    /// When a paste or a reply without an end is given up.
    private var deadline = ContinuousClock.now

    init?() {
        guard let pad = newpad(1, 1) else { return nil }
        self.pad = pad
        keypad(pad, true)
        nodelay(pad, true)
        set_escdelay(25)
        define_key("\u{1B}[200~", KeyDecoder.pasteBegin)
        define_key("\u{1B}[201~", KeyDecoder.pasteEnd)
        define_key(KeyDecoder.replyPrefix, KeyDecoder.replyBegin)
    }

    /// All keys that were typed and not yet read.
    func read() -> [KeyDecoder.Input] {
        var inputs: [KeyDecoder.Input] = []
        if ContinuousClock.now > deadline {
            if let rest = decoder.endPaste() { inputs.append(rest) }
            decoder.dropReply()
        }
        var batch: [RawKey] = []
        // ncurses queues mouse reports separately; they must be fetched in the order of their keys.
        var reports: [[MouseEvent]] = []
        while let raw = next() {
            batch.append(raw)
            if raw == .code(KEY_MOUSE) { reports.append(mouse()) }
        }
        for input in decoder.decode(batch) {
            guard input == .mouse else {
                inputs.append(input)
                continue
            }
            if !reports.isEmpty { inputs += reports.removeFirst().map { .key(.mouse($0)) } }
        }
        deadline = .now + .seconds(1)
        return inputs
    }

    private func next() -> RawKey? {
        var value: wint_t = 0
        return switch wget_wch(pad, &value) {
        case OK: .character(UInt32(value))
        case Int32(KEY_CODE_YES): .code(Int32(bitPattern: UInt32(value)))
        default: nil
        }
    }

    /// The events of one mouse key code. A press and its release that are read together have one code, and curses returns
    /// the last report first.
    private func mouse() -> [MouseEvent] {
        var events: [MouseEvent] = []
        var report = MEVENT()
        // Curses queues at most 8 reports.
        for _ in 0..<8 where getmouse(&report) == OK {
            if let event = Self.event(report) { events.append(event) }
        }
        return events.reversed()
    }

    private static func event(_ report: MEVENT) -> MouseEvent? {
        let place = Point(column: Int(report.x), row: Int(report.y))
        let kinds: [(mmask_t, MouseEvent.Kind)] = [
            (cncurses_mouse_press(), .press), (cncurses_mouse_release(), .release),
            (cncurses_mouse_wheel_up(), .wheelUp), (cncurses_mouse_wheel_down(), .wheelDown),
        ]
        return kinds.first { report.bstate & $0.0 != 0 }.map { MouseEvent($0.1, at: place) }
    }
}
