import TerminalUI

@testable import TerminalGuard
@testable import TerminalShadow

/// A machine with what a relay keeps for it, and a terminal that shows what a person sees.
struct GuardUnderTest {
    private(set) var machine: GuardMachine
    private(set) var terminal: PersonsTerminal
    /// What the program has received.
    private(set) var typed: [UInt8] = []
    /// The keys that were pressed on the cover.
    private(set) var pressed: [Key] = []
    /// The signals that were sent, in order, with their targets.
    private(set) var signals: [String] = []
    /// The timers that run, with their times.
    private(set) var timers: [GuardTimer: Duration] = [:]
    private(set) var sizes: [Size] = []
    /// Whether the guard has the terminal.
    private(set) var holdsTerminal = false
    private(set) var isJobStopped = false
    private(set) var hasStarted = false
    /// The program's place in its own terminal.
    private(set) var isProgramInForeground = false
    /// Whether everything that the program has started is paused.
    private(set) var isPaused = false
    /// Whether the end of everything that the program has started is waited for.
    private(set) var isTreeWatched = false
    /// What was typed after the program's end, for the shell.
    private(set) var givenBack: [UInt8] = []
    private(set) var end: GuardEnd?
    /// Broken rules that hold for every list of actions.
    private(set) var faults: [String] = []

    static let size = Size(columns: 20, rows: 4)
    /// The length of a sequence that is not held until its end.
    static let overlong = SequenceTokenizer.heldLimit + 1

    /// - Parameters:
    ///   - terminal: the terminal that the guard is started in.
    ///   - dialect: what the guard is told of what it means by control sequences; nil for the truth.
    ///   - alternateScreen: what the guard is told of its alternate screen.
    ///   - isUpdated: whether the program is started right after its update.
    ///   - place: where the program runs.
    init(
        _ terminal: PersonsTerminal = PersonsTerminal(size), dialect: TerminalDialect? = nil,
        alternateScreen: AlternateScreenClaim = .askable, isUpdated: Bool = false, place: GuardMachine.Place = .terminal
    ) {
        let writer = FrameWriter(TerminalLook(depth: .indexed), hyperlinks: false)
        machine = GuardMachine(
            size: Self.size, writer: writer, dialect: dialect ?? terminal.dialect, alternateScreen: alternateScreen,
            isUpdated: isUpdated, place: place)
        self.terminal = terminal
    }

    /// A guard whose program runs in the foreground and has written a line.
    static func running(
        in terminal: PersonsTerminal = PersonsTerminal(size), dialect: TerminalDialect? = nil,
        alternateScreen: AlternateScreenClaim = .askable
    ) -> GuardUnderTest {
        var test = GuardUnderTest(terminal, dialect: dialect, alternateScreen: alternateScreen)
        test.send([.begun(isForeground: true), .startAllowed])
        test.reply()
        test.output("work\r\n")
        return test
    }

    // MARK: Events

    @discardableResult
    mutating func send(_ event: GuardEvent) -> [GuardAction] {
        let actions = machine.handle(event)
        perform(actions)
        return actions
    }

    mutating func send(_ events: [GuardEvent]) {
        for event in events { send(event) }
    }

    mutating func type(_ text: String) { send(.typed(Array(text.utf8))) }

    /// Shows what another program writes to the terminal.
    mutating func write(_ text: String) { terminal.feed(Array(text.utf8)) }

    /// Lets the terminal reply to all questions.
    mutating func reply() {
        while case let replies = terminal.takeReplies(), !replies.isEmpty { send(.typed(replies)) }
    }

    /// Lets a timer fire that runs.
    @discardableResult
    mutating func fire(_ timer: GuardTimer) -> [GuardAction] {
        guard timers.removeValue(forKey: timer) != nil else {
            faults.append("the timer \(timer) does not run")
            return []
        }
        return send(.timer(timer))
    }

    /// Takes output of the program. Returns the further actions and what went to the terminal at once.
    @discardableResult
    mutating func output(_ text: String) -> (actions: [GuardAction], terminal: [UInt8]) {
        var forTerminal: [UInt8] = [], forProgram: [UInt8] = []
        let actions = Array(text.utf8).withUnsafeBufferPointer {
            machine.output($0, terminal: &forTerminal, program: &forProgram)
        }
        if end != nil, !forTerminal.isEmpty { faults.append("output after the end") }
        terminal.feed(forTerminal)
        typed += forProgram
        perform(actions)
        return (actions, forTerminal)
    }

    /// The program's text that was typed, and nothing else.
    mutating func takeTyped() -> String { String(decoding: removeAll(\.typed), as: UTF8.self) }

    mutating func takePressed() -> [Key] { removeAll(\.pressed) }
    mutating func takeSignals() -> [String] { removeAll(\.signals) }
    mutating func takeSizes() -> [Size] { removeAll(\.sizes) }

    /// What the terminal replies.
    mutating func takeReplies() -> [UInt8] { terminal.takeReplies() }

    private mutating func removeAll<Element>(_ record: WritableKeyPath<Self, [Element]>) -> [Element] {
        defer { self[keyPath: record] = [] }
        return self[keyPath: record]
    }

    // MARK: Actions

    private mutating func perform(_ actions: [GuardAction]) {
        for (index, action) in actions.enumerated() {
            if end != nil { faults.append("\(action) after the end") }
            if case .stopJob = action, index + 1 < actions.count { faults.append("actions after the job's stop") }
            perform(action)
        }
    }

    private mutating func perform(_ action: GuardAction) {
        switch action {
        case .sendToTerminal(let bytes):
            // In the background a job writes what its program writes, but no cover.
            if !holdsTerminal, machine.screen == .lent || GuardNotation.frame(in: bytes) != nil {
                faults.append(
                    "bytes for a terminal that belongs to another: \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
            terminal.feed(bytes)
        case .sendToProgram(let bytes): typed += bytes
        case .takeTerminal:
            holdsTerminal = true
            isJobStopped = false
        case .releaseTerminal:
            if !holdsTerminal { faults.append("a terminal was released that the guard does not have") }
            holdsTerminal = false
        case .startProgram(let inForeground):
            if hasStarted { faults.append("a second start") }
            hasStarted = true
            isProgramInForeground = inForeground
        case .send(let signal, let target):
            if !hasStarted { faults.append("a signal to a program that was not started") }
            signals.append(GuardNotation.name(of: signal) + GuardNotation.suffix(target))
        case .pauseTree:
            signals.append("pause")
            isPaused = true
        case .resumeTree:
            signals.append("resume")
            isPaused = false
        case .killTree: signals.append("killAll")
        case .watchTree: isTreeWatched = true
        case .moveProgram(let toForeground): isProgramInForeground = toForeground
        case .returnInput(let late):
            if !holdsTerminal { faults.append("input is given back to a terminal that another has") }
            givenBack += late
        case .setSize(let size): sizes.append(size)
        case .stopJob:
            if holdsTerminal { faults.append("the job stops with the terminal") }
            isJobStopped = true
        case .schedule(let timer, let wait):
            if wait <= .zero { faults.append("a timer without time") }
            timers[timer] = wait
        case .cancel(let timer): timers[timer] = nil
        case .press(let keys): pressed += keys
        case .releaseProgram, .didLend, .didPaint, .failedEarly, .hangUp: break
        case .finish(let end):
            if holdsTerminal { faults.append("the end with the terminal") }
            self.end = end
        }
    }
}

/// A terminal that keeps both screens, as a real one does, and replies to questions.
struct PersonsTerminal {
    private var screen: ScreenCover
    private let size: Size
    /// Whether it replies to questions for modes.
    private let reportsModes: Bool
    private var replies: [UInt8] = []
    /// The text of the lines that have left the screen at its top.
    private(set) var scrollback: [String] = []

    /// A terminal whose shell has started the guard.
    init(
        _ size: Size, dialect: TerminalDialect = TerminalDialect(), hasAlternateScreen: Bool = true, reportsModes: Bool = true
    ) {
        self.size = size
        self.reportsModes = reportsModes
        screen = ScreenCover(
            columns: size.columns, rows: size.rows, dialect: dialect, hasAlternateScreen: hasAlternateScreen,
            keepsMainScreen: true)
        screen.anchor(column: 0, row: 0)
        feed(Array("$ guard\r\n".utf8))
    }

    var dialect: TerminalDialect { screen.shadow.dialect }

    /// The bytes are taken up to each question, so that the reply is right.
    mutating func feed(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = Self.questions.compactMap({ rest.firstRange(of: $0)?.upperBound }).min() {
            show(rest[..<end])
            reply(to: rest[..<end])
            rest = rest[end...]
        }
        show(rest)
    }

    /// Shows bytes. A line feed in the last row moves the first row into the scrollback.
    private mutating func show(_ bytes: ArraySlice<UInt8>) {
        for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init).enumerated() {
            if part.offset > 0 {
                let shadow = screen.shadow
                if !shadow.isAlternate, shadow.row == size.rows - 1 { scrollback.append(text(ofRow: 0)) }
                _ = screen.output([0x0A])
            }
            _ = screen.output(part.element)
        }
    }

    private static let questions = ["\u{1B}[6n", "\u{1B}[?1049$p"].map { Array($0.utf8) }

    private mutating func reply(to bytes: ArraySlice<UInt8>) {
        if bytes.last == UInt8(ascii: "n") {
            replies += screen.shadow.reply(to: .cursor(isExtended: false))
        } else if reportsModes {
            replies += Array("\u{1B}[?1049;\(showsAlternate ? 1 : 2)$y".utf8)
        }
    }

    mutating func takeReplies() -> [UInt8] {
        defer { replies = [] }
        return replies
    }

    /// The lines of the screen without trailing blanks, and without empty lines at the end.
    var lines: [String] {
        var lines = (0..<size.rows).map(text)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func text(ofRow row: Int) -> String {
        var text = ""
        for cell in screen.shadow.grid.row(row) where cell.width > 0 {
            text.unicodeScalars.append(Unicode.Scalar(cell.scalar).flatMap { $0 == "\0" ? nil : $0 } ?? " ")
        }
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    private var cells: [ShadowCell] { (0..<size.rows).flatMap { screen.shadow.grid.row($0) } }

    /// Whether every cell shows a letter.
    func isFull(of letter: Character) -> Bool {
        let scalar = letter.unicodeScalars.first?.value
        return cells.allSatisfy { $0.scalar == scalar }
    }

    /// Whether a person sees the same text on two terminals.
    func shows(_ other: PersonsTerminal) -> Bool {
        zip(cells, other.cells).allSatisfy { $0.scalar == $1.scalar } && showsAlternate == other.showsAlternate
    }

    func hasMode(_ mode: Int) -> Bool { screen.shadow.modes[mode] }

    var showsAlternate: Bool { screen.shadow.isAlternate }
}
