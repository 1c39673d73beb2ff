import Foundation
import Synchronization
import TestSupport

/// A server whose status a test switches. Every client learns of it at once, over a stream of its own.
final class StatusSwitch: Sendable {
    private struct State: Sendable {
        var document: String
        var published = Int64(Date().timeIntervalSince1970 * 1000)
        var feeds: [ServerFeed] = []
    }

    static let live = document()
    static let paused = document(inactive: true)
    static let update = document(update: true)
    /// The message of every status.
    static let message = "Back at 14:30 UTC."

    let server: HostileServer
    private let state: Mutex<State>

    init(_ document: String = live) throws {
        server = try HostileServer()
        state = Mutex(State(document: document))
        server.answer { [weak self] request in self?.reply(to: request) ?? .hangUp }
    }

    /// A status that requires a version.
    static func requiring(_ version: String) -> String {
        #"{"apiInactive":false,"forceUpdate":true,"requiredVersion":"\#(version)","retryInterval":600,"userMessage":null}"#
    }

    static func document(inactive: Bool = false, update: Bool = false) -> String {
        #"{"apiInactive":\#(inactive),"forceUpdate":\#(update),"retryInterval":600,"userMessage":"\#(message)"}"#
    }

    var url: String { server.address }

    func kill() { publish(Self.paused) }

    func requireUpdate() { publish(Self.update) }

    func restore() { publish(Self.live) }

    /// Publishes a document of the test's own.
    func publish(_ document: String) {
        state.withLock { state in
            state.document = document
            state.published = max(state.published + 1, Int64(Date().timeIntervalSince1970 * 1000))
            for feed in state.feeds { feed.send(Self.event(state)) }
        }
    }

    private func reply(to request: Request) -> Behaviour {
        state.withLock { state in
            guard request.path == "/events" else {
                return .json(
                    state.document,
                    headers: ["Bellerophon-Events": "/events", "Bellerophon-Published": "\(state.published)"])
            }
            let feed = ServerFeed(Self.event(state))
            state.feeds.append(feed)
            return .stream(feed)
        }
    }

    private static func event(_ state: State) -> String {
        "event: status\nid: \(state.published)\npublished: \(state.published)\ndata: \(state.document)\n\n"
    }
}

extension TerminalUnderTest {
    /// A program under `bellerophon guard`.
    /// - Parameter options: the options of the guard.
    static func guarding(
        _ program: [String], by status: StatusSwitch, options: [String] = [], environment: [String: String?] = [:],
        columns: Int = 80, rows: Int = 24, home: TestFolder? = nil
    ) async throws -> TerminalUnderTest {
        try await TerminalUnderTest(
            "bellerophon",
            arguments: ["guard", "--status-url", status.url, "--start-timeout", "60"] + options + ["--"] + program,
            environment: environment, columns: columns, rows: rows, home: home)
    }

    /// A shell script under `bellerophon guard`.
    static func guarding(
        script: String, by status: StatusSwitch, options: [String] = [], home: TestFolder? = nil
    ) async throws -> TerminalUnderTest {
        try await guarding(["/bin/sh", "-c", script], by: status, options: options, home: home)
    }

    /// The output without the questions that a guard asks at its start: where the cursor is, whether there is an alternate screen,
    /// and how emoji are drawn.
    var outputAfterQuestions: String {
        output.replacing("\u{1B}[?1049$p", with: "")
            .replacing(
                /\u{1B}\[\?2026h\u{1B}7\u{1B}\[\?1049h\u{1B}\[\d;\dH\u{1B}\[\?1049l\u{1B}\[6n\u{1B}8\u{1B}\[\?2026l/, with: ""
            )
            .replacing(
                /\u{1B}\[\?2026h\u{1B}\[\?1049h\u{1B}\[2;1H[^\u{1B}]+\u{1B}\\\u{1B}\[6n\u{1B}\[1J\u{1B}\[\?1049l\u{1B}\[\?2026l/,
                with: ""
            )
            .replacing("\u{1B}[6n", with: "")
    }

    /// The snapshot of a moment in which the program does not draw.
    func settledSnapshot() async throws -> TerminalSnapshot {
        try await pollScreen("two equal snapshots") {
            let snapshots = try await (snapshot(), snapshot())
            return snapshots.0 == snapshots.1 ? snapshots.1 : nil
        }
    }

    /// Waits until the terminal's state is that of an earlier snapshot, or of another terminal's.
    /// - Parameter part: what of both is compared.
    func wait(
        for expected: TerminalSnapshot, comparing part: (TerminalSnapshot) -> TerminalSnapshot = { $0 },
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var last = ""
        do {
            try await pollScreen("same state", file: file, line: line) {
                last = try await part(snapshot()).differences(from: part(expected))
                return last.isEmpty ? () : nil
            }
        } catch let error as TestError {
            throw TestError(error.subject, detail: last, at: error.place)
        }
    }

    /// Waits until the kill view is complete: its footer is painted last.
    func waitUntilCovered(file: StaticString = #fileID, line: UInt = #line) async throws {
        try await wait(for: "SERVICE PAUSED", StatusSwitch.message, "d details", file: file, line: line)
    }

    /// Kills the program's service, and waits until the kill view is complete.
    func cover(by status: StatusSwitch, file: StaticString = #fileID, line: UInt = #line) async throws {
        status.kill()
        try await waitUntilCovered(file: file, line: line)
    }

    /// Types a line until the program replies: keys that are typed on a view do not reach the program.
    func typeOnceUncovered(
        _ line: String, for reply: String, file: StaticString = #fileID, at number: UInt = #line
    ) async throws {
        try await eventually("reply to a typed line", file: file, line: number) {
            try await type(line)
            return try await screen.contains(reply) ? () : nil
        }
    }

    /// Ends the kill, and waits until the kill view is gone.
    func uncover(by status: StatusSwitch, file: StaticString = #fileID, line: UInt = #line) async throws {
        status.restore()
        try await wait(whileShowing: "SERVICE PAUSED", file: file, line: line)
    }
}

/// A shell script under `bellerophon guard`, without a terminal.
func guardedWithoutTerminal(
    _ script: String, by status: StatusSwitch, options: [String] = [], home: TestFolder, environment: [String: String?] = [:]
) throws -> RunningProgram {
    let arguments = ["guard", "--status-url", status.url, "--start-timeout", "60"] + options + ["--", "/bin/sh", "-c", script]
    return try RunningProgram("bellerophon", arguments, home: home, environment: environment)
}

/// The command line of a guard as text for a shell. On a busy machine the start waits for the status, so that nothing is said
/// about a late one.
func guardCommand(by status: StatusSwitch, _ options: String = "") throws -> String {
    "'\(try Products.path("bellerophon"))' guard --status-url \(status.url) --start-timeout 60 \(options) --"
}

/// The processes that have a variable in their environment.
func processes(with variable: String) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
        let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
        return "\0\(String(decoding: environment, as: UTF8.self))\0".hasBytes(of: "\0\(variable)\0")
    }
}
