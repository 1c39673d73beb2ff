import Foundation

/// A program in xterm, whose cells a test reads. Everything ends when the object is released.
///
/// xterm prints its screen to a file on request (ECMA-48, MC). The request is written to its terminal, so the program must not
/// write at the same time. Keys can't be pressed.
public final class XtermUnderTest: Sendable {
    /// Whether xterm and a display for it are installed.
    public static var isInstalled: Bool { Products.find("xterm") != nil && Products.find("Xvfb") != nil }

    private let session: TestFolder
    private let xterm: RunningProgram
    private let pass: SessionGate.Pass
    private let terminal: String

    /// Starts a program and returns when it runs.
    /// - Parameters:
    ///   - command: a path with arguments.
    ///   - home: the program's home folder.
    public init(_ command: [String], home: TestFolder) async throws {
        guard let executable = Products.find("xterm"), let display = XDisplay.shared else {
            throw TestError("xterm or Xvfb is missing")
        }
        pass = try await SessionGate.shared.enter()
        session = try TestFolder()
        let folder = session.url.path
        let resources = [
            "printerCommand: cat >'\(folder)/part' && mv '\(folder)/part' '\(folder)/page'", "printerAutoClose: true",
            "printerExtent: true", "printAttributes: 2",
        ]
        // The end of xterm hangs the program up.
        let script = "tty >'\(folder)/name' && mv '\(folder)/name' '\(folder)/terminal'; exec \"$@\""
        xterm = try RunningProgram(
            executable,
            ["-u8", "-geometry", "80x24"] + resources.flatMap { ["-xrm", "XTerm*\($0)"] } + ["-e", "/bin/sh", "-c", script, "sh"]
                + command,
            home: home, environment: ["DISPLAY": display.name])
        let session = session
        terminal = try await eventually("start of xterm") { session.text("terminal") }
    }

    /// The screen's rows. Each begins with its text's attributes, as escape sequences.
    public var screen: String {
        get async throws {
            let page = session.path("page")
            try? FileManager.default.removeItem(atPath: page)
            try request()
            return try await eventually("page of xterm") {
                FileManager.default.contents(atPath: page).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func request() throws {
        let descriptor = try Descriptors.make { open(terminal, O_WRONLY | O_NOCTTY) }
        defer { close(descriptor) }
        guard write(descriptor, "\u{1B}[i", 3) == 3 else { throw TestError("can't write to \(terminal)") }
    }

    /// Waits until the screen contains every text, and does not change.
    /// - Returns: the screen.
    @discardableResult
    public func wait(
        for texts: String..., within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> String {
        var last = ""
        do {
            return try await eventually("“\(texts)” in xterm", within: bound, file: file, line: line) {
                let before = last
                last = try await screen
                let text = last.replacing(#/\e(\[[0-9;]*m|#5)|\r|\u{FFFF}/#, with: "")
                return last == before && texts.allSatisfy { text.contains($0) } ? last : nil
            }
        } catch let error as TestError where error.detail.isEmpty {
            throw TestError(error.subject, detail: last, at: error.place)
        }
    }
}
