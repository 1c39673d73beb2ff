import Foundation
import TestSupport
import Testing

/// A real program is covered at random moments, and comes back exactly. Of each kind one program: an editor and a pager.
@Suite("Sessions: guarded programs come back")
struct GuardMatrixTests {
    @Test(arguments: [GuardProgram.vim, .less]) func itComesBackExactly(program: GuardProgram) async throws {
        try await expectCoversLeaveNothing(on: program, covers: 3)
    }
}

/// The same with more programs and more covers. `GUARD_COVERS` sets the number of covers for each program.
@Suite("Sessions: many guarded programs come back")
struct GuardMatrixProof {
    private static let covers = ProcessInfo.processInfo.environment["GUARD_COVERS"].flatMap { Int($0) } ?? 10

    @Test(arguments: GuardProgram.all) func itComesBackExactly(program: GuardProgram) async throws {
        try await expectCoversLeaveNothing(on: program, covers: Self.covers)
    }
}

private func expectCoversLeaveNothing(on program: GuardProgram, covers: Int) async throws {
    try #require(program.isInstalled, "\(program) is not installed")
    let frozen = try await FreezableProgram(program)
    var generator = SplitMix64(seed: Seed.of(program.name, default: UInt64(program.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) })))
    var faults: [String] = []
    for number in 1...covers {
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            guard let input = program.inputs.randomElement(using: &generator) else { continue }
            try await frozen.terminal.type(input)
        }
        let differences = try await frozen.differencesAfterACover(number)
        if !differences.isEmpty { faults.append("cover \(number):\n\(differences)") }
    }
    #expect(faults.isEmpty, "\(program): \(faults.count) of \(covers) covers\n\(faults.joined(separator: "\n"))")
}

/// A guarded program that a test can freeze at any moment, so that its output stays the same while it is covered.
///
/// A shell between the guard and the program is not frozen: the guard would see a stopped job.
private final class FreezableProgram: Sendable {
    private static let columns = 90

    let terminal: TerminalUnderTest
    private let status: StatusSwitch
    private let home: TestFolder
    private let shell: pid_t
    /// The program's terminal, behind the guard.
    private let path: String

    init(_ program: GuardProgram) async throws {
        status = try StatusSwitch()
        home = try TestFolder()
        try GuardProgram.writeFiles(in: home)
        let script = "cd \"$HOME\"; tty >terminal; echo $$ >shell; \(program.command); :"
        terminal = try await TerminalUnderTest.guarding(
            ["/bin/sh", "-c", script], by: status, columns: Self.columns, rows: 26, home: home)
        try await terminal.wait(for: program.readyText)
        path = try #require(home.text("terminal"))
        shell = try #require(home.text("shell").flatMap { pid_t($0) })
    }

    /// Freezes the program at the present moment, covers and uncovers it.
    /// - Returns: what is different afterwards; empty if nothing is.
    func differencesAfterACover(_ number: Int) async throws -> String {
        let processes = try await freeze()
        defer { processes.forEach { kill($0, SIGCONT) } }
        try await mark("before \(number)")
        let before = try await terminal.snapshot()
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await mark("after \(number)")
        try await mark("before \(number)")
        return try await terminal.snapshot().differences(from: before)
    }

    /// Sets the title through the program's terminal, and waits until it shows: all earlier output has arrived then.
    private func mark(_ title: String) async throws {
        let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestError("can't open \(path)") }
        defer { close(descriptor) }
        let bytes = Array("\u{1B}]2;\(title)\u{07}".utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        try await terminal.pollScreen("title \(title)") { try await terminal.title == title ? () : nil }
    }

    /// Stops every process of the program, parents first: a shell that runs would report a stopped child.
    /// - Returns: the processes.
    private func freeze() async throws -> [pid_t] {
        let name = path.replacing("/dev/", with: "")
        let list = try await runCommand("/bin/ps", ["-t", name, "-o", "pid="]).standardOutput
        let server = home.text("server").flatMap { pid_t($0) }
        let processes = (list.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) } + [server].compactMap(\.self))
            .filter { $0 > shell }
        #expect(!processes.isEmpty)
        for process in processes { kill(process, SIGSTOP) }
        // A stop takes effect when the process leaves the kernel.
        for process in processes { try await waitUntilStopped(process) }
        return processes
    }

    private func waitUntilStopped(_ process: pid_t) async throws {
        try await eventually("stop of process \(process)") {
            let state = try await runCommand("/bin/ps", ["-p", "\(process)", "-o", "stat="]).standardOutput
            return state.isEmpty || state.contains("T") || state.contains("Z") ? () : nil
        }
    }
}
