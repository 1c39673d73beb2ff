import Foundation
import TestSupport

/// A real terminal that a test writes to. It is used by one thread.
///
/// The test writes to the terminal's device, on which a program sleeps, and reads the terminal's replies there.
class LiveTerminal {
    static let columns = 20, rows = 6

    /// What ``reset()`` leaves behind: everything that a full reset does not bring back has been set once.
    var preface: [UInt8] { [] }
    private let device: Int32

    init(device path: String) throws {
        device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0 else { throw TestError("can't open \(path)") }
        var settings = termios()
        tcgetattr(device, &settings)
        cfmakeraw(&settings)
        tcsetattr(device, TCSANOW, &settings)
    }

    deinit { close(device) }

    /// Writes to the terminal, and returns its replies once it has taken everything.
    @discardableResult
    func feed(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = (bytes + Array("\u{1B}[5n".utf8))[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(device, $0.baseAddress, min($0.count, 2048)) }
            guard written > 0 else { throw TestError("can't write to the terminal") }
            rest = rest.dropFirst(written)
        }
        let end = Array("\u{1B}[0n".utf8)
        var replies: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
        while !replies.suffix(end.count).elementsEqual(end) {
            var waiting = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(patience.components.seconds) * 1000) > 0 else {
                throw TestError("the terminal does not reply")
            }
            let count = read(device, &buffer, buffer.count)
            guard count > 0 else { throw TestError("the terminal has ended") }
            replies += buffer[..<count]
        }
        return Array(replies.dropLast(end.count))
    }

    /// Takes the terminal to its first state.
    func reset() throws {}

    /// What a person sees, and what the terminal says of its state.
    func snapshot() throws -> LiveSnapshot { fatalError("each kind of terminal has its own") }

    /// The terminal's picture; nil if there is none.
    func picture() throws -> [UInt8]? { nil }

    /// Ends the terminal.
    func end() {}

    /// Runs a command to its end and returns what it prints.
    static func run(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws -> [UInt8] {
        guard let path = Products.find(name) else { throw TestError("\(name) is missing") }
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(output)
    }
}

/// What a live terminal shows, and its state.
struct LiveSnapshot {
    /// The rows as text with changes of the rendition in braces.
    var rows: [String]
    /// What the terminal says of its cursor, modes and tab stops.
    var state: [String]
    /// How many rows have left the screen of tmux.
    var history = 0

    func differences(from expected: LiveSnapshot) -> [String] {
        let pairs = Self.pairs(rows, expected.rows, "row") + Self.pairs(state, expected.state, "state")
        return pairs.filter { $0.mine != $0.its }.map {
            "\($0.name): \($0.mine.debugDescription), expected \($0.its.debugDescription)"
        }
    }

    private static func pairs(_ mine: [String], _ its: [String], _ name: String) -> [(name: String, mine: String, its: String)] {
        (0..<max(mine.count, its.count)).map { index in
            ("\(name) \(index)", index < mine.count ? mine[index] : "none", index < its.count ? its[index] : "none")
        }
    }

    /// The rows of a text with escape sequences for renditions, which go on over the ends of the rows.
    ///
    /// Blanks have no rendition here, unless something is drawn on them: the terminals say different things of cells that were never
    /// written. The picture shows their background.
    /// - Parameter endsWithBlanks: whether a blank ends the rendition unless it has one of its own, as in what xterm prints.
    static func rows(_ lines: [Substring], endsWithBlanks: Bool = false) -> [String] {
        var rendition: [String: String] = [:]
        return lines.map { line in
            var row = "", blanks = "", last: [String: String] = [:], isOwn = false
            var scalars = line.unicodeScalars[...]
            while let scalar = scalars.popFirst() {
                switch scalar {
                case "\u{1B}" where scalars.first == "#": scalars.removeFirst(2)
                case "\u{1B}":
                    let code = scalars.dropFirst().prefix { $0 != "m" }
                    scalars = scalars.dropFirst(code.count + 2)
                    select(String(String.UnicodeScalarView(code)), in: &rendition)
                    isOwn = true
                case "\u{0E}": rendition["graphics"] = "graphics"
                case "\u{0F}": rendition["graphics"] = nil
                case " ":
                    blanks.append(" ")
                    if endsWithBlanks, !isOwn { select("0", in: &rendition) }
                    isOwn = false
                default:
                    if rendition != last { blanks += "{" + rendition.values.sorted().joined(separator: ";") + "}" }
                    last = rendition
                    row += blanks
                    row.unicodeScalars.append(scalar)
                    (blanks, isOwn) = ("", false)
                }
            }
            return row
        }
    }

    private static func select(_ code: String, in rendition: inout [String: String]) {
        var codes = code.split(separator: ";", omittingEmptySubsequences: false)[...]
        while let code = codes.popFirst() {
            let number = Int(code.prefix { $0 != ":" }) ?? 0
            switch number {
            // The character set is none of it.
            case 0: rendition = rendition.filter { $0.key == "graphics" }
            case 39, 49, 59: rendition["\(number - 1)"] = nil
            case 38, 48, 58:
                let rest = code.contains(":") ? [] : codes.prefix(codes.first == "5" ? 2 : 4)
                codes = codes.dropFirst(rest.count)
                rendition["\(number)"] = ([code] + rest).joined(separator: ";").replacing(":", with: ";")
            case 30...37, 90...97: rendition["38"] = String(code)
            case 40...47, 100...107: rendition["48"] = String(code)
            default: rendition["\(number)"] = String(code)
            }
        }
    }
}

/// A pane of tmux, which no client shows.
final class LiveTmux: LiveTerminal {
    private let folder: TestFolder
    private let watcher: RunningProgram
    private var server: [String] { ["-u", "-S", folder.path("tmux"), "-f", "/dev/null"] }

    init() throws {
        guard let tmux = Products.find("tmux") else { throw TestError("tmux is missing") }
        folder = try TestFolder()
        let socket = folder.path("tmux")
        let script = """
            "\(tmux)" -u -S "\(socket)" -f /dev/null new-session -d -s t -x \(Self.columns) -y \(Self.rows + 1) 'sleep 100000' \\; \
                set-option -g status off \\; set-option -g history-limit 200 \\; resize-window -t t -x \(Self.columns) -y \(Self.rows) \\; \
                display-message -p -t t '#{pane_tty} ready'
            while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done
            "\(tmux)" -S "\(socket)" kill-server
            """
        watcher = try RunningProgram("/bin/sh", ["-c", script], home: folder)
        let path = try watcher.wait(for: "pane of tmux") {
            $0.split(separator: " ").last == "ready\n" ? $0.split(separator: " ").first : nil
        }
        try super.init(device: String(path))
    }

    override var preface: [UInt8] { Array("\u{1B}7\u{1B}[?1049h\u{1B}[?1049l".utf8) }

    override func reset() throws {
        try feed(Array("\u{18}\u{1B}[?1049l\u{1B}c".utf8) + preface)
        _ = try Self.run("tmux", server + ["clear-history", "-t", "t"])
    }

    private static let state = [
        "cursor_x", "cursor_y", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag", "mouse_any_flag",
        "mouse_button_flag",
        "mouse_standard_flag", "mouse_sgr_flag", "origin_flag", "wrap_flag", "scroll_region_upper", "scroll_region_lower",
        "pane_tabs",
        "alternate_on",
    ]

    override func snapshot() throws -> LiveSnapshot {
        let format = (["history_size"] + Self.state).map { "\($0) #{\($0)}" }.joined(separator: ";")
        let text = try Self.run(
            "tmux",
            server + ["display-message", "-p", "-t", "t", format, ";", "capture-pane", "-p", "-e", "-N", "-t", "t", "-S", "-"])
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let state = (lines.first ?? "").split(separator: ";").map(String.init)
        let history = state.first.flatMap { Int($0.dropFirst("history_size ".count)) } ?? 0
        // A wrap that was pending on an erased row is restored with a space. The row then counts as used, and leaves the screen.
        let rows = LiveSnapshot.rows(Array(lines.dropFirst())).enumerated().filter { $0.offset >= history || !$0.element.isEmpty }
        return LiveSnapshot(rows: rows.map(\.element), state: Array(state.dropFirst()), history: history)
    }

    override func end() {
        _ = try? Self.run("tmux", server + ["kill-server"])
    }
}

/// xterm on a display without a screen. It prints its screen to a file.
final class LiveXterm: LiveTerminal {
    private let folder: TestFolder
    private let xterm: RunningProgram
    private let display: String
    private let window: String

    /// - Parameter place: where the window is on the display. Windows that overlap have no complete pictures.
    init(at place: Int) throws {
        guard let executable = Products.find("xterm"), let display = XDisplay.shared else {
            throw TestError("xterm or Xvfb is missing")
        }
        folder = try TestFolder()
        self.display = display.name
        let path = folder.url.path
        let resources = [
            "printerCommand: cat >'\(path)/part' && mv '\(path)/part' '\(path)/page'", "printerAutoClose: true",
            "printerExtent: true",
            "printAttributes: 2", "jumpScroll: false", "cursorBlink: never", "internalBorder: 0", "saveLines: 200",
        ]
        let script =
            "printf '%s\\n' \"$WINDOWID\" >'\(path)/window'; tty >'\(path)/name'; mv '\(path)/name' '\(path)/terminal'; exec sleep 100000"
        xterm = try RunningProgram(
            executable,
            ["-u8", "-geometry", "\(Self.columns)x\(Self.rows)+\(place * 300)+0"] + resources.flatMap { ["-xrm", "XTerm*\($0)"] }
                + ["-e", "/bin/sh", "-c", script],
            home: folder, environment: ["DISPLAY": display.name])
        let folder = folder
        let device = try xterm.wait(for: "xterm") { _ in folder.text("terminal") }
        window = folder.text("window") ?? ""
        try super.init(device: device)
    }

    override var preface: [UInt8] { Array("\u{1B}[?1;6;7;25;1000s".utf8) }

    override func reset() throws {
        // A full reset keeps the stack of renditions, which has ten places.
        let text =
            "\u{18}" + String(repeating: "\u{1B}[#q", count: 10)
            + "\u{1B}[?1049l\u{1B}c\u{1B}[m\u{1B}[?1049h\u{1B}[2J\u{1B}[H\u{1B}7\u{1B}[?1049l\u{1B}c\u{1B}[m\u{1B}7\u{1B}[3Jx\r\u{1B}[2J"
        try feed(Array(text.utf8) + preface)
    }

    /// Questions about the cursor, the tab stops, the rendition, the margins and the modes.
    private static let questions =
        "\u{1B}[1$w\u{1B}[2$w\u{1B}P$qm\u{1B}\\\u{1B}P$qr\u{1B}\\\u{1B}P$q q\u{1B}\\"
        + [1, 5, 6, 7, 9, 12, 25, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1049, 2004].map { "\u{1B}[?\($0)$p" }.joined()
        + "\u{1B}[4$p\u{1B}[20$p"

    override func snapshot() throws -> LiveSnapshot {
        let state = String(decoding: try feed(Array(Self.questions.utf8)), as: UTF8.self)
        let page = folder.path("page")
        try? FileManager.default.removeItem(atPath: page)
        try feed(Array("\u{1B}[i".utf8))
        let folder = folder
        let text = try xterm.wait(for: "page of xterm") { _ in FileManager.default.contents(atPath: folder.path("page")) }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        // A tab stop in the first column has no effect.
        return LiveSnapshot(
            rows: LiveSnapshot.rows(lines, endsWithBlanks: true),
            state: state.split(separator: "\u{1B}").map { String($0.replacing("P2$u1/", with: "P2$u")) })
    }

    override func picture() throws -> [UInt8]? {
        guard Products.find("xwd") != nil else { return nil }
        // Lines of DEC graphics reach into the cells beside them, and what is left of them depends on what was drawn first. Another
        // background draws everything again from the cells.
        try feed(Array("\u{1B}[?5h\u{1B}[?5l".utf8))
        let image = try Self.run("xwd", ["-silent", "-id", window], environment: ["DISPLAY": display])
        guard image.count > 80 else { throw TestError("xwd has made no picture") }
        let number = { (start: Int) in image[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        // The header with the window's name, and the colours.
        return Array(image.dropFirst(number(0) + number(76) * 12))
    }

    override func end() { xterm.send(SIGTERM) }
}
