internal import CPty
import Foundation
import Processes
import TerminalIO

// Bytes between the terminal and the program.
extension RelayLoop {
    /// A read of fewer bytes has emptied the pseudo-terminal, which passes on up to 4 KiB at a time.
    static let shortRead = 1024
    /// The bytes for the program that may wait before no more keys are read.
    static let programLimit = 65536
    static let flushTime = Duration.seconds(10)
    /// The same after a signal that ends the guard.
    static let hurriedFlushTime = Duration.seconds(1)

    func masterEvents(at now: ContinuousClock.Instant) -> Int16 {
        var events: Int32 = 0
        if machine.readsOutput, pacer.allowance(waiting: toTerminal.count, at: now) > 0 { events |= Int32(POLLIN) }
        if !toProgram.isEmpty, !program.isReleased { events |= Int32(POLLOUT) }
        return Int16(events)
    }

    var readsKeys: Bool { holdsTerminal && toProgram.count < Self.programLimit }

    mutating func readKeys() {
        switch terminal?.read(limit: 4096) ?? .ended {
        case .bytes(let bytes): handle(.typed(bytes))
        case .nothing: break
        case .ended: handle(.inputEnded)
        }
    }

    mutating func moveProgramBytes() {
        sendToProgram()
        let limit = pacer.allowance(waiting: toTerminal.count, at: .now)
        guard machine.readsOutput, limit > 0, let base = buffer.baseAddress else { return }
        let (filled, hasEnded) = readOutput(into: base, limit: limit)
        hasMoreOutput = filled == limit
        if program.end != nil { readAfterEnd += filled }
        if filled > 0 {
            var forTerminal: [UInt8] = toTerminal.takeStorage()
            var forProgram: [UInt8] = []
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled]).assumingMemoryBound(to: UInt8.self)
            if machine.start == .young || machine.start == .failed { startOutput.append(bytes) }
            let actions = machine.output(bytes, terminal: &forTerminal, program: &forProgram)
            toTerminal.put(back: forTerminal)
            toProgram.append(forProgram)
            perform(actions)
            sendToTerminal()
            sendToProgram()
        }
        if hasEnded, program.end != nil { handle(.outputEnded) }
    }

    func readOutput(into base: UnsafeMutableRawPointer, limit: Int) -> (count: Int, hasEnded: Bool) {
        var filled = 0
        while filled < limit {
            let count = cpty_read(program.master, base + filled, limit - filled)
            guard count > 0 else { return (filled, count != -Int(EAGAIN)) }
            filled += count
            // So little was all. A key's echo is not delayed by another read.
            if count < Self.shortRead { break }
        }
        return (filled, false)
    }

    mutating func sendToTerminal() {
        let before = toTerminal.count
        guard before > 0 else { return }
        toTerminal.send { [terminal] in terminal?.write($0) ?? .gone }
        let now = ContinuousClock.now
        if toTerminal.count < before { stuckSince = nil }
        if !toTerminal.isEmpty, stuckSince == nil { stuckSince = now }
        pacer.sent(before - toTerminal.count, waiting: toTerminal.count, at: now)
    }

    mutating func sendToProgram() {
        toProgram.send { [program] in program.write($0) }
    }

    /// How long a terminal may take nothing of the last bytes before they are given up. A slow terminal gets all of them.
    var patience: Duration { isAskedToEnd ? Self.hurriedFlushTime : Self.flushTime }

    /// Sends what waits for the terminal before the terminal changes hands. A terminal that has been given up is not waited for again.
    mutating func flushTerminal() {
        let start = ContinuousClock.now
        sendToTerminal()
        while !toTerminal.isEmpty, let stuckSince, stuckSince != givenUpSince {
            let left = ContinuousClock.now.duration(to: max(stuckSince, start) + patience)
            guard left > .zero else { return givenUpSince = stuckSince }
            var descriptors = [
                pollfd(fd: terminal?.output ?? -1, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, nfds_t(descriptors.count), 100) >= 0 || errno == EINTR else { return }
            if descriptors[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
            // They are handled later; one that ends this process shortens the wait.
            if descriptors[1].revents != 0 { holdSignals() }
            sendToTerminal()
        }
    }
}
