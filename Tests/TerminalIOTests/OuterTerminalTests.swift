import CPty
import Foundation
import TestSupport
import Testing

@testable import TerminalIO

@Suite("Outer terminal")
struct OuterTerminalTests {
    @Test func aFileIsNoTerminal() throws {
        let file = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(file) }
        #expect(!OuterTerminal.isTerminal(input: file, output: file))
        #expect(throws: SystemError.self) { try OuterTerminal(input: file, output: file) }
        let terminal = try FakeTerminal()
        #expect(OuterTerminal.isTerminal(input: terminal.slave, output: terminal.slave))
        #expect(!OuterTerminal.isTerminal(input: terminal.slave, output: file))
    }

    @Test func anErrorOutputElsewhereIsRedirected() throws {
        let terminal = try FakeTerminal(), other = try FakeTerminal()
        #expect(!OuterTerminal.isErrorRedirected(output: terminal.slave, error: terminal.slave))
        #expect(OuterTerminal.isErrorRedirected(output: terminal.slave, error: other.slave))
        #expect(OuterTerminal.isErrorRedirected(output: terminal.slave, error: -1))
    }

    @Test func rawModeIsSetAndTakenBack() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        #expect(terminal.isCanonical)
        try outer.enterRawMode()
        #expect(outer.isRaw)
        #expect(!terminal.isCanonical)
        outer.leaveRawMode()
        #expect(terminal.isCanonical)
        try outer.enterRawMode()
        outer.close()
        #expect(terminal.isCanonical, "closing takes it back as well")
    }

    /// A non-blocking mode belongs to the open file description, which other processes share.
    @Test func theDescriptorsOfOthersStayBlocking() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        #expect(fcntl(terminal.slave, F_GETFL) & O_NONBLOCK == 0)
        #expect(fcntl(outer.input, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(outer.output, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(outer.input, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func keysAreReadAsTheyAre() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        try outer.enterRawMode()
        #expect(outer.read() == .nothing)
        let keys: [UInt8] = [0x03, 0x1A, 0x0D, 0x11, 0x7F]
        #expect(write(terminal.master, keys, keys.count) == keys.count)
        try terminal.waitForInput(of: outer)
        #expect(outer.read() == .bytes(keys))
        #expect(outer.read() == .nothing)
        terminal.hangUp()
        // The child of another test may have a copy of the master for a moment.
        try terminal.waitForInput(of: outer)
        #expect(outer.read() == .ended)
        #expect(outer.write([0x61]) == .gone)
    }

    @Test func aFullTerminalTakesOutputInParts() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        try outer.enterRawMode()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        var rest = bytes[...], received: [UInt8] = []
        var refusals = 0
        while received.count < bytes.count {
            guard case .wrote(let count) = outer.write(rest) else { throw TestError("the terminal is gone") }
            rest = rest.dropFirst(count)
            if count > 0 { continue }
            refusals += 1
            received += try terminal.output()
        }
        #expect(received == bytes)
        #expect(refusals > 0)
    }

    @Test func theSizeIsTheTerminals() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        #expect(outer.size == FakeTerminal.size)
        var size = cpty_size(columns: 7, rows: 3, width: 0, height: 0)
        #expect(cpty_set_size(terminal.master, &size) == 0)
        #expect(outer.size == TerminalSize(columns: 7, rows: 3))
    }

    @Test func aSizeIsClamped() {
        let system = TerminalSize(columns: -1, rows: 70_000, width: .max, height: .min).system
        #expect(TerminalSize(system) == TerminalSize(columns: 0, rows: 65535, width: 65535, height: 0))
    }

    @Test func theEmergencyResetIsBounded() throws {
        let terminal = try FakeTerminal()
        let outer = try OuterTerminal(input: terminal.slave, output: terminal.slave)
        #expect(throws: SystemError("prepare for a crash", code: E2BIG)) {
            try outer.setEmergencyReset([UInt8](repeating: 0x20, count: 4097))
        }
    }
}

/// A pseudo-terminal whose master the test has in hand.
final class FakeTerminal {
    private(set) var master: Int32 = -1
    let slave: Int32

    static let size = TerminalSize(columns: 90, rows: 40, width: 900, height: 800)

    init(isRaw: Bool = false) throws {
        var size = Self.size.system, master: Int32 = -1, slave: Int32 = -1
        guard cpty_open_pair(nil, &size, &master, &slave) == 0, cpty_set_nonblocking(master) == 0 else {
            throw TestError("no pseudo-terminal")
        }
        self.master = master
        self.slave = slave
        if isRaw { try TerminalModes(of: slave)?.raw.apply(to: slave) }
    }

    deinit {
        hangUp()
        close(slave)
    }

    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    /// Whether the terminal edits lines and echoes, as it does at first.
    var isCanonical: Bool {
        var modes = termios()
        return cpty_get_modes(slave, &modes) == 0
            && modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
    }

    func waitForInput(of outer: OuterTerminal) throws {
        try wait(for: outer.input)
    }

    /// The next output of the program.
    func output() throws -> [UInt8] {
        try wait(for: master)
        return read()
    }

    /// The output of the program that is there now.
    func read() -> [UInt8] {
        guard case .bytes(let bytes) = DescriptorIO.read(master, limit: 65536) else { return [] }
        return bytes
    }

    private func wait(for descriptor: Int32) throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(patience / .milliseconds(1))) > 0 else { throw TestError("no bytes within \(patience)") }
    }
}
