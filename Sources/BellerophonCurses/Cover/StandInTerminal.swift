import BellerophonBase
import CPty
import Foundation
import Synchronization
import TerminalIO
import TerminalShadow

/// The terminal that a program has while a view is up: a pseudo-terminal in place of descriptors 0, 1 and 2.
///
/// What the program writes is read until the end of the process, so that no writer waits or fails. It is followed by a
/// ``ScreenCover``: modes that the program sends, and output for the main screen, reach the real terminal afterwards. What it
/// draws on the full screen does not, because the program's curses paints from its own memory.
final class StandInTerminal: Sendable {
    private struct State {
        var cover: ScreenCover
        /// What the program has written for the terminal while there is no cover.
        var output: [UInt8] = []
        var markers = MarkerSearch()
        /// Opens when the last mark is received.
        var marked = Latch()
        var isHolding = false
        var process = getpid()
    }

    private let state: Mutex<State>
    private let master: Int32
    private let slave: Int32
    /// The slave opened again, for writes of our own that never wait.
    private let control: Int32

    init(modes: TerminalModes?, size: TerminalSize) throws(SystemError) {
        var master: Int32 = -1, slave: Int32 = -1
        var system = size.system
        let result =
            if var modes = modes?.system {
                cpty_open_pair(&modes, &system, &master, &slave)
            } else {
                cpty_open_pair(nil, &system, &master, &slave)
            }
        _ = try SystemError.check("make a pseudo-terminal", result)
        let control = cpty_reopen_terminal(slave)
        guard control >= 0, cpty_set_nonblocking(master) == 0 else {
            for descriptor in [master, slave, control] where descriptor >= 0 { _ = cpty_close(descriptor) }
            throw SystemError("make a pseudo-terminal", code: control < 0 ? -control : errno)
        }
        (self.master, self.slave, self.control) = (master, slave, control)
        state = Mutex(State(cover: ScreenCover(columns: 1, rows: 1)))
        let thread = Thread { [self] in follow() }
        thread.name = "covered output"
        thread.start()
    }

    // MARK: Taking and giving back

    /// Takes the place of the real terminal: afterwards nothing that the program writes reaches it.
    /// - Parameters:
    ///   - terminal: a descriptor of the real terminal. A standard descriptor that leads elsewhere stays as it is.
    ///   - modes: the modes that the program has set.
    ///   - cover: what the real terminal shows, as far as it is known.
    func replace(_ terminal: Int32, modes: TerminalModes?, size: TerminalSize, cover: ScreenCover) throws(SystemError) {
        try? modes?.apply(to: slave)
        resize(to: size)
        state.withLock { state in
            state.cover = cover
            state.output = []
            state.isHolding = true
        }
        do throws(SystemError) {
            _ = try SystemError.check("move the standard descriptors", cpty_move_standard(terminal, slave))
        } catch {
            state.withLock { $0.isHolding = false }
            throw error
        }
        ExitRestoration.register(self)
    }

    /// The bytes that make room for the view on the real terminal.
    func cover() -> [UInt8] {
        receiveAll()
        return state.withLock { state in
            state.output = []
            return state.cover.cover()
        }
    }

    /// The bytes that take the view away and bring back everything but the full screen's cells. The program's output goes on
    /// to be kept until ``giveBack()``.
    func uncover() -> [UInt8] {
        receiveAll()
        return state.withLock { $0.cover.uncover(repaintsCells: false) }
    }

    /// Gives the program its descriptors back.
    /// - Returns: what it has written since ``uncover()``, for the terminal.
    func giveBack() -> [UInt8] {
        cpty_restore_standard()
        receiveAll()
        return state.withLock { state in
            state.isHolding = false
            defer { state.output = [] }
            return state.output
        }
    }

    /// The bytes that leave the terminal to another program while the view stands.
    func leave() -> [UInt8] { state.withLock { $0.cover.leave() } }

    /// The bytes that make room for the view again after ``leave()``.
    func comeBack() -> [UInt8] { state.withLock { $0.cover.comeBack() } }

    /// The modes that the program has set.
    var modes: TerminalModes? { TerminalModes(of: slave) }

    /// Whether the program shows a full screen.
    var showsFullScreen: Bool { state.withLock { $0.cover.shadow.isAlternate } }

    /// Whether the program's descriptors lead here. False in a child process after a fork.
    var isHolding: Bool { state.withLock { $0.isHolding && $0.process == getpid() } }

    func resize(to size: TerminalSize) {
        var system = size.system
        _ = cpty_set_size(master, &system)
        state.withLock { _ = $0.cover.resize(columns: size.cells.columns, rows: size.cells.rows) }
    }

    // MARK: The program's output

    /// Reads what the program writes, to the end of the process.
    private func follow() {
        cpty_block_all_signals()
        while cpty_wait_for_input(master) {
            while case .bytes(let bytes) = DescriptorIO.read(master, limit: 1 << 16) { receive(bytes) }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        state.withLock { state in
            let (output, found) = state.markers.filter(bytes)
            defer { if found > 0 { state.marked.open() } }
            // Without end, the program's main screen could fill the memory.
            guard state.isHolding, !state.cover.isFull else { return }
            let (terminal, program) = state.cover.output(output)
            if !state.cover.isCovered { state.output += terminal }
            if !program.isEmpty { _ = DescriptorIO.write(master, program[...]) }
        }
    }

    /// Waits until everything that was written before is received. The data of a pseudo-terminal arrives in order, so a mark
    /// that is written now arrives after it.
    private func receiveAll() {
        let marked = Latch()
        var rest = state.withLock { state in
            state.marked = marked
            return state.markers.begin()
        }[...]
        // Output that the program has stopped would keep the mark back.
        _ = cpty_continue_output(control)
        let end = SuspendingClock.now + .seconds(1)
        while !rest.isEmpty, SuspendingClock.now < end {
            guard case .wrote(let count) = DescriptorIO.write(control, rest) else { return }
            rest = rest.dropFirst(count)
            if count == 0 { _ = DescriptorIO.waitForOutput(control, milliseconds: 10) }
        }
        marked.wait(atMost: SuspendingClock.now.duration(to: end))
    }
}

/// Finds marks in a stream of bytes and takes them out. A value.
struct MarkerSearch {
    private var number = 0
    private var marker: [UInt8] = []
    /// The beginning of a mark, if the last bytes are one.
    private var held: [UInt8] = []

    /// The next mark, which is a control string that no program sends.
    mutating func begin() -> [UInt8] {
        number += 1
        marker = Array("\u{1B}_bellerophon mark \(number)\u{1B}\\".utf8)
        return marker
    }

    /// The bytes without marks, and how many marks were found.
    mutating func filter(_ bytes: [UInt8]) -> (output: [UInt8], found: Int) {
        guard !marker.isEmpty else { return (bytes, 0) }
        var rest = held + bytes
        held = []
        guard let place = rest.firstRange(of: marker) else {
            let count = Self.overlap(rest, marker)
            held = Array(rest.suffix(count))
            return (rest.dropLast(count), 0)
        }
        rest.removeSubrange(place)
        marker = []
        return (rest, 1)
    }

    /// How many bytes at the end may be the beginning of the mark.
    private static func overlap(_ bytes: [UInt8], _ marker: [UInt8]) -> Int {
        (1..<marker.count).reversed().first { bytes.suffix($0).elementsEqual(marker.prefix($0)) } ?? 0
    }
}
