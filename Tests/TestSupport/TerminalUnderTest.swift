import Foundation
public import TerminalUI

/// A program in a real terminal that a test controls with keys and screen checks.
///
/// ```swift
/// let terminal = try await TerminalUnderTest("bellerophon", arguments: ["demo"])
/// try await terminal.wait(for: "● LIVE")
/// try await terminal.press("q")
/// #expect(try await terminal.waitForExit() == .exited(0))
/// ```
/// The terminal is tmux. The program runs under a shell with job control, in its own home folder. Everything ends when
/// the object is released. Two terminals per core run at a time; further ones wait.
public final class TerminalUnderTest: Sendable {
    /// The program's home folder, with `config`, `state` and `cache` for the XDG folders.
    public let home: TestFolder
    private let name: String
    /// Contains the files of ``LaunchScript`` and the socket of tmux.
    private let session: TestFolder
    let tmux: Tmux
    private let pass: SessionGate.Pass

    /// Starts a program and returns when it runs.
    /// - Parameters:
    ///   - command: the name of one of this package's programs, or a path.
    ///   - environment: added to ``TestFolder/environment(_:)``; nil removes a variable.
    ///   - home: the program's home folder; a new one by default.
    ///   - options: options of tmux. If there are any, the program finds the variables with which tmux makes itself known.
    public init(
        _ command: String, arguments: [String] = [], environment: [String: String?] = [:],
        columns: Int = 80, rows: Int = 24, home: TestFolder? = nil, options: [String: String] = [:]
    ) async throws {
        let path = try Products.path(command)
        pass = try await SessionGate.shared.enter()
        name = command
        let home = try home ?? TestFolder()
        let session = try TestFolder()
        (self.home, self.session) = (home, session)
        tmux = try Tmux(folder: session, home: home)
        let script = LaunchScript.text(
            command: [path] + arguments, changes: environment, folder: session.url.path, showsTerminal: !options.isEmpty)
        try await tmux.start(script: session.write(script, to: "launch"), columns: columns, rows: rows, options: options)
        _ = try await poll("start of \(command)", patience, at: nil) { session.text("pid") }
    }

    // MARK: Keys

    /// Presses keys; the terminal sends them according to its current mode.
    public func press(_ keys: Key...) async throws {
        for key in keys { try await send(key) }
    }

    /// Presses the key of a printable character.
    public func press(_ character: Character) async throws {
        try await type(String(character))
    }

    /// Types text.
    public func type(_ text: String) async throws {
        try await sendBytes(text.utf8)
    }

    /// Sends bytes to the program as terminal input.
    public func sendBytes(_ bytes: some Sequence<UInt8>) async throws {
        let codes = bytes.map { String($0, radix: 16) }
        guard !codes.isEmpty else { return }
        try await tmux.run(["send-keys", "-t", Tmux.session, "-H"] + codes)
    }

    /// Presses `q` once the footer names it, and confirms if a view asks. It waits first, because a view that has just come up
    /// ignores keys.
    public func quit(file: StaticString = #fileID, line: UInt = #line) async throws {
        try await wait(for: "q quit", file: file, line: line)
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            try await press("q")
            // While a view comes up, the screen may show the footer below it, and the key is ignored.
            let asks = try? await pollScreen("end or question", within: .seconds(10)) { [self] in
                if session.text("status") != nil { return false }
                return try await screen.contains("y end ") ? true : nil
            }
            if asks == true { return try await press("y") }
            if asks == false { return }
        }
        throw TestError("neither an end nor a question", at: Place(file: file, line: line))
    }

    private func send(_ key: Key) async throws {
        switch key {
        case .character(let character): try await press(character)
        case .mouse(let event): try await send([event])
        case .resize, .other: throw TestError("\(key) is no key to press")
        default: try await tmux.run(["send-keys", "-t", Tmux.session, key.tmuxName])
        }
    }

    /// Presses and immediately releases the mouse button.
    public func click(_ place: Point) async throws {
        try await send([MouseEvent(.press, at: place), MouseEvent(.release, at: place)])
    }

    private func send(_ events: [MouseEvent]) async throws {
        let flags = try await ask("#{mouse_any_flag}#{mouse_sgr_flag}")
        guard flags.hasPrefix("1") else { throw TestError("\(name) does not listen to the mouse") }
        try await sendBytes(events.flatMap { $0.report(sgr: flags.hasSuffix("1")) })
    }

    /// Resizes the terminal.
    public func resize(columns: Int, rows: Int) async throws {
        try await tmux.run(["resize-window", "-t", Tmux.session, "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Sets the size that the system tells the program, without the terminal's window.
    public func setReportedSize(columns: Int, rows: Int) async throws {
        let tty = try await ask("#{pane_tty}")
        let script = #"exec stty rows "$1" columns "$2" <"$3""#
        let result = try await runCommand("/bin/sh", ["-c", script, "size", "\(rows)", "\(columns)", tty])
        guard result.status == .exited(0) else { throw TestError("stty failed: \(result.standardError)") }
    }

    // MARK: Screen and output

    /// The screen's rows without trailing blanks.
    public var screen: String {
        get async throws { try await tmux.run(["capture-pane", "-p", "-t", Tmux.session]).trimmingNewline }
    }

    /// The screen with the escape sequences of its colours and attributes.
    public var styledScreen: String {
        get async throws { try await tmux.run(["capture-pane", "-p", "-e", "-t", Tmux.session]).trimmingNewline }
    }

    /// All output of the program, including escape sequences.
    public var output: String {
        let text = session.text("output") ?? ""
        return text.hasBytes(of: LaunchScript.end) ? text.replacing(LaunchScript.end, with: "") : text
    }

    /// Waits until ``output`` contains a text. tmux records the output by itself: it may come after the screen that it leads to.
    public func waitForOutput(_ text: String, file: StaticString = #fileID, line: UInt = #line) async throws {
        try await eventually("“\(text.debugDescription)” in the output", file: file, line: line) {
            session.text("output")?.hasBytes(of: text) == true ? () : nil
        }
    }

    /// The text that the program put on the clipboard by escape sequence; nil if none.
    public var clipboard: String? {
        get async { try? await tmux.run(["show-buffer"]) }
    }

    /// The terminal's current state.
    public func state() async throws -> TerminalState {
        let answer = try await ask(
            "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag} #{pane_tty}")
        let words = answer.split(separator: " ")
        guard words.count == 5 else { throw TestError("tmux answered \(answer)") }
        let modes = try await runCommand("/bin/sh", ["-c", #"exec stty -g <"$1""#, "modes", String(words[4])])
        return TerminalState(
            isAlternateScreen: words[0] == "1", isCursorVisible: words[1] == "1", reportsMouse: words[2] == "1",
            hasApplicationKeys: words[3] == "1",
            hasChangedModes: modes.standardOutput.trimmingNewline != session.text("modes")
        )
    }

    /// Waits until the terminal's state is restored. After a stop the shell may be visible before.
    public func waitUntilGivenBack(file: StaticString = #fileID, line: UInt = #line) async throws {
        try await poll("the terminal is given back", patience, at: Place(file: file, line: line)) { [self] in
            try await state() == .givenBack ? () : nil
        }
    }

    func ask(_ format: String) async throws -> String {
        try await tmux.run(["display-message", "-p", "-t", Tmux.session, format]).trimmingNewline
    }

    /// Runs the closure while the terminal reads no output, as a window whose program is stopped.
    public func whileNotRead<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let server = pid_t(try await ask("#{pid}")), server > 1 else { throw TestError("tmux has no process") }
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        return try await body()
    }

    // MARK: The process

    /// The program's process identifier.
    public var processIdentifier: pid_t { session.text("pid").flatMap { pid_t($0) } ?? 0 }

    /// Sends a signal to the program, such as `SIGTERM`.
    public func signal(_ signal: Int32) throws {
        let pid = processIdentifier
        guard pid > 1, session.text("status") == nil, kill(pid, signal) == 0 else {
            throw TestError("\(name) runs no longer")
        }
    }

    /// Closes the terminal window and waits for the program's end.
    public func closeTerminal(file: StaticString = #fileID, line: UInt = #line) async throws -> ExitStatus {
        try await tmux.run(["kill-server"])
        return try await exitStatus(within: patience, at: Place(file: file, line: line))
    }

    /// Waits until the program has ended.
    /// - Returns: the exit status; a shell's status above 128 counts as a signal.
    public func waitForExit(
        within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ExitStatus {
        let status = try await exitStatus(within: bound, at: Place(file: file, line: line))
        // tmux passes the output on by itself: the last of it may come after the program's end.
        _ = try? await poll("end of the output", Self.outputPatience, at: nil) { [session] in
            session.text("output")?.hasBytes(of: LaunchScript.end) == false ? nil : ()
        }
        return status
    }

    /// The longest wait for output whose end is not seen, such as of a program that has closed its terminal.
    private static let outputPatience = Duration.seconds(10)

    private func exitStatus(within bound: Duration, at place: Place) async throws -> ExitStatus {
        let status = try await poll("end of \(name)", bound, at: place) { [session] in
            session.text("status").flatMap { Int32($0) }
        }
        // The rest of the test needs no terminal, or another one.
        pass.giveBack()
        return ExitStatus(shellStatus: status)
    }

    /// Presses Ctrl-Z and waits until the shell controls the terminal.
    public func suspend(file: StaticString = #fileID, line: UInt = #line) async throws {
        let stops = stopCount
        try await press(.control("z"))
        try await poll("stop of \(name)", patience, at: Place(file: file, line: line)) { [self] in
            stopCount > stops ? () : nil
        }
    }

    /// Types `fg` in the shell and waits until the program continues.
    public func resume(file: StaticString = #fileID, line: UInt = #line) async throws {
        let stops = stopCount
        // A line feed instead of Return also ends the line in raw mode.
        try await type("fg\n")
        try await poll("fg", patience, at: Place(file: file, line: line)) { [session] in
            session.text("resumed").flatMap { Int($0) } == stops ? () : nil
        }
    }

    private var stopCount: Int { session.text("stopped").flatMap { Int($0) } ?? 0 }

    // MARK: Waiting

    /// Waits until one snapshot of the screen contains every text and none of the excluded ones.
    ///
    /// Check everything that belongs to a view in one call: the screen may be captured while it is drawn, so the
    /// returned screen may contain half of a view.
    /// - Returns: the screen.
    @discardableResult
    public func wait(
        for texts: String..., without others: String..., within bound: Duration = patience,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> String {
        let shown = texts.map { "“\($0)”" }.joined(separator: ", ")
        let subject =
            shown + (texts.count == 1 ? " shows" : " show")
            + (others.isEmpty ? "" : ", without " + others.map { "“\($0)”" }.joined(separator: ", "))
        return try await wait(until: subject, within: bound, file: file, line: line) { screen in
            texts.allSatisfy { screen.contains($0) } && !others.contains { screen.contains($0) }
        }
    }

    /// Waits until the screen no longer shows a text.
    /// - Returns: the screen.
    @discardableResult
    public func wait(
        whileShowing text: String, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> String {
        try await wait(until: "“\(text)” is gone", within: bound, file: file, line: line) { !$0.contains(text) }
    }

    /// Waits until the screen meets the condition.
    /// - Parameter subject: the condition, as the failure message names it, such as `the clock stands`.
    /// - Returns: the screen.
    @discardableResult
    public func wait(
        until subject: String, within bound: Duration = patience,
        file: StaticString = #fileID, line: UInt = #line,
        _ fits: @Sendable (String) -> Bool
    ) async throws -> String {
        try await pollScreen(subject, within: bound, file: file, line: line) { [self] in
            let screen = try await screen
            return fits(screen) ? screen : nil
        }
    }

    /// Calls `look`, which reads the screen, until it returns a value, but again only after something that may change the screen.
    /// Each reading starts a process, and a program may take seconds to draw.
    @discardableResult
    public func pollScreen<Found>(
        _ subject: String, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line,
        _ look: () async throws -> Found?
    ) async throws -> Found {
        var (seen, turns) = (progress, 0)
        return try await poll(subject, bound, at: Place(file: file, line: line)) {
            // tmux may record the output after it has drawn it, and a resize draws without output. So the screen is also read again
            // without any progress, every half second.
            let current = progress
            guard current != seen || turns % 25 == 0 else {
                turns += 1
                return nil
            }
            (seen, turns) = (current, 1)
            return try await look()
        }
    }

    /// The size of the recorded output, and whether the program has ended.
    private var progress: [off_t] {
        ["output", "status"].map { name in
            var facts = stat()
            return stat(session.path(name), &facts) == 0 ? facts.st_size : -1
        }
    }

    @discardableResult
    private func poll<Found>(
        _ subject: String, _ bound: Duration, at place: Place?, _ look: () async throws -> Found?
    ) async throws -> Found {
        let end = ContinuousClock.now + bound
        while true {
            if let found = try await look() { return found }
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let picture = (try? await screen) ?? "(the terminal is closed)"
        let ended = session.text("status").map { ", \(name) has ended with status \($0)" } ?? ""
        throw TestError("\(subject): not within \(bound)\(ended)", detail: "The screen:\n\(picture)", at: place)
    }
}

extension String {
    /// Whether the bytes of another text are in this one, which is far quicker to find than its characters.
    public func hasBytes(of other: String) -> Bool {
        var (text, part) = (self, other)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first, let wanted = part.baseAddress else { return true }
                guard var start = text.baseAddress else { return false }
                let end = start + text.count
                while end - start >= part.count, let found = memchr(start, Int32(first), end - start - part.count + 1) {
                    if memcmp(found, wanted, part.count) == 0 { return true }
                    start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
                }
                return false
            }
        }
    }

    /// The text without trailing line ends.
    var trimmingNewline: String {
        var text = self[...]
        while text.last?.isNewline == true { text = text.dropLast() }
        return String(text)
    }
}
