import Bellerophon
import CNcurses
import TerminalUI
import TestSupport
import Testing

@testable import BellerophonCurses
@testable import TerminalShadow

/// The row of a notice over the screen of a host's own curses.
@MainActor
@Suite(.serialized) struct HostNoticeTests {
    private static let size = Size(columns: 60, rows: 6)
    private static let style = Theme.text.with(.reverse)
    private static let notice = Banner([TextLine(" NOTICE in 14 min ", style)])
    private static let mark = Banner([TextLine("!", style)], room: .whole)

    private func host(_ size: Size = size, reserving: Bool = false) throws -> HostUnderTest {
        try HostUnderTest(size, reservesLine: reserving)
    }

    @Test("It comes and goes without a trace, and the host's cursor stays")
    func comesAndGoes() throws {
        let host = try host()
        host.draw {
            host.put("a title that goes on to the right edge of the screen, 60 col", row: 0)
            host.put("text", row: 3)
        }
        let before = host.terminal.state
        host.show(Self.notice)
        #expect(host.row(0) == "a title that goes on to the right edge of  NOTICE in 14 min ")
        #expect(host.terminal.state.cursor == before.cursor)
        #expect(host.terminal.shadow.grid[59, 0].pen != ShadowPen(), "inverse")
        host.show(Self.mark)
        #expect(host.row(0) == "a title that goes on to the right edge of the screen, 60 co!")
        host.show(nil)
        #expect(host.terminal.state == before)
    }

    @Test("What the host draws below it is there afterwards, also where it looks like the notice")
    func drawnMeanwhile() throws {
        let host = try host()
        host.draw { host.put("the first title of the host is as wide as the screen is, 60c", row: 0) }
        host.show(Self.notice)
        // A blank in inverse, as the first cell of the notice.
        host.draw { host.put(" ", row: 0, column: 42, attributes: cncurses_a_reverse()) }
        #expect(!host.isShown(Self.notice))
        host.show(Self.notice)
        host.draw { host.put("NEW", row: 0, column: 50) }
        host.show(nil)
        #expect(host.row(0) == "the first title of the host is as wide as  he screNEWis, 60c")
        #expect(host.terminal.shadow.grid[42, 0].pen != ShadowPen() && host.terminal.shadow.grid[43, 0].pen == ShadowPen())
    }

    @Test("A wide character that it would cut gives way as a whole")
    func wideCharacter() throws {
        try #require(cncurses_set_locale())
        let host = try host()
        host.draw { host.put(String(repeating: "漢", count: 29), row: 0, column: 1) }
        let before = host.terminal.state
        host.show(Self.notice)
        #expect(host.row(0) == " " + String(repeating: "漢", count: 20) + "  NOTICE in 14 min ")
        host.show(nil)
        #expect(host.terminal.state == before)
    }

    @Test("With a reserved line it hides nothing, and the host has one row less")
    func reservedLine() throws {
        let host = try host(reserving: true)
        #expect(host.rows == 5)
        host.draw { host.put("title", row: 0) }
        let before = host.terminal.state
        host.show(Self.notice)
        #expect(host.row(0).hasSuffix(" NOTICE in 14 min ") && host.row(1) == "title")
        #expect(host.terminal.state.cursor == before.cursor)
        host.show(nil)
        #expect(host.terminal.state == before)
    }

    @Test("Nothing is laid on a single row, and nothing where there is no screen")
    func noRoom() throws {
        let host = try host(Size(columns: 60, rows: 1))
        host.draw { host.put("title", row: 0) }
        host.show(Self.notice)
        #expect(host.row(0) == "title")
    }

    @Test("No step of a host leaves a trace of a notice", arguments: Seed.range("hosts under a notice", default: 0..<40))
    func randomHost(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let host = try host(), twin = try self.host()
        var shown: Banner?
        for _ in 0..<60 {
            let step = HostStep.random(using: &random)
            for each in [host, twin] { each.draw { step.perform(each) } }
            if case .resize(let size) = step { for each in [host, twin] { each.resize(size) } }
            if Bool.random(using: &random) {
                shown = [nil, Self.notice, Self.mark, Banner(Self.notice.rows, at: .bottom)].randomElement(using: &random) ?? nil
                host.show(shown)
                #expect(host.isShown(shown))
                #expect(host.terminal.state.cursor == twin.terminal.state.cursor)
            }
        }
        host.show(nil)
        #expect(host.terminal.state == twin.terminal.state, "seed \(seed)\n\(host.screen)\n\(twin.screen)")
    }
}

/// What a host does to its screen between two refreshes.
private enum HostStep {
    case text(String, row: Int, column: Int, attributes: attr_t)
    case erase, clear, scroll, nothing
    case move(row: Int, column: Int)
    case resize(Size)

    static func random(using random: inout SplitMix64) -> HostStep {
        let (row, column) = (Int.random(in: 0..<3, using: &random) * 2, Int.random(in: 0..<60, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .erase
        case 1: return .clear
        case 2: return .scroll
        case 3: return .move(row: row, column: column)
        case 4:
            return .resize(Size(columns: Int.random(in: 20...60, using: &random), rows: Int.random(in: 2...6, using: &random)))
        case 5: return .nothing
        default:
            let text = ["word", "漢字", " ", "a line of text that is longer than the row of a notice"].randomElement(using: &random)
            let attributes = [0, cncurses_a_reverse(), cncurses_a_bold()].randomElement(using: &random)
            return .text(text ?? "", row: row, column: column, attributes: attributes ?? 0)
        }
    }

    @MainActor
    func perform(_ host: HostUnderTest) {
        switch self {
        case .text(let text, let row, let column, let attributes):
            host.put(text, row: row, column: column, attributes: attributes)
        case .erase: CNcurses.erase()
        case .clear: CNcurses.clear()
        case .scroll: wscrl(cncurses_stdscr(), 1)
        case .move(let row, let column): CNcurses.move(Int32(row), Int32(column))
        case .resize, .nothing: break
        }
    }
}

/// A host with its own curses screen, and the terminal that shows what its curses writes.
@MainActor
private final class HostUnderTest {
    private let handle: OpaquePointer
    private let capture: CapturePipe
    private var notice = HostNotice()
    private(set) var terminal: HostTerminal

    init(_ size: Size, reservesLine: Bool) throws {
        _ = cncurses_set_locale()
        capture = try CapturePipe()
        if reservesLine { cncurses_reserve_line() }
        var opened = cncurses_captured()
        #expect(cncurses_open_captured("xterm-256color", capture.input, &opened))
        handle = opened.screen
        terminal = HostTerminal(size)
        resizeterm(Int32(size.rows), Int32(size.columns))
        scrollok(cncurses_stdscr(), true)
        idlok(cncurses_stdscr(), true)
        feed()
    }

    private func feed() { terminal.feed(capture.drain()) }

    var rows: Int { inside { Int(getmaxy(cncurses_stdscr())) } }
    var screen: String { (0..<terminal.shadow.rows).map(row).joined(separator: "\n") }

    private func inside<Result>(_ body: () -> Result) -> Result {
        set_term(handle)
        return body()
    }

    /// Draws, and lets the host's curses paint.
    func draw(_ body: () -> Void) {
        inside {
            body()
            refresh()
        }
        feed()
    }

    func put(_ text: String, row: Int, column: Int = 0, attributes: attr_t = 0) {
        _ = inside { cncurses_put_text(cncurses_stdscr(), Int32(row), Int32(column), text, attributes) }
    }

    func resize(_ size: Size) {
        terminal.resize(size)
        inside {
            resizeterm(Int32(size.rows), Int32(size.columns))
            refresh()
        }
        feed()
    }

    /// Shows a notice as a session does.
    func show(_ banner: Banner?) {
        inside { if notice.show(banner, .unicode) { doupdate() } }
        feed()
    }

    func isShown(_ banner: Banner?) -> Bool { inside { notice.isShown(banner, .unicode) || getmaxy(cncurses_newscr()) < 2 } }

    /// The text of a row, without the blanks at its end that are not inverse.
    func row(_ row: Int) -> String {
        let cells = Array(terminal.shadow.grid.row(row))
        let used = cells.lastIndex { $0.pen != ShadowPen() || ($0.scalar != 0 && $0.scalar != 0x20) || $0.width == 0 } ?? -1
        return cells[...used].filter { $0.width > 0 }
            .map { Unicode.Scalar($0.scalar == 0 ? 0x20 : $0.scalar).map(String.init) ?? "?" }.joined()
    }
}

/// A terminal without anything between it and the host.
private struct HostTerminal {
    private(set) var cover: ScreenCover
    var shadow: ShadowTerminal { cover.shadow }

    struct State: Equatable {
        var rows: [[ShadowCell]]
        var cursor: [Int]
    }

    init(_ size: Size) { cover = ScreenCover(columns: size.columns, rows: size.rows) }

    mutating func feed(_ bytes: [UInt8]) { _ = cover.output(bytes) }

    mutating func resize(_ size: Size) { _ = cover.resize(columns: size.columns, rows: size.rows) }

    /// What a person sees. An erased cell and a blank look the same.
    var state: State {
        State(
            rows: (0..<shadow.rows).map { row in
                shadow.grid.row(row).map { cell in
                    var cell = cell
                    if cell.scalar == 0x20 { cell.scalar = 0 }
                    return cell
                }
            },
            cursor: [shadow.column, shadow.row])
    }
}
