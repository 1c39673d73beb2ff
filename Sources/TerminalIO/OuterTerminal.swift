import BellerophonBase
internal import CPty

/// The person's terminal, through standard input and output. Used by one thread.
///
/// Both are opened again, so that their non-blocking mode is not shared with other processes, such as the shell.
package final class OuterTerminal {
    /// What keys are read from; ``Descriptor/none`` after `close`.
    package private(set) var inputDescriptor: Descriptor
    /// What is written to; ``Descriptor/none`` after `close`. If it belongs to others, a write may block.
    package private(set) var outputDescriptor: Descriptor
    /// The modes that the terminal had before `enterRawMode`.
    package private(set) var originalModes: TerminalModes
    package private(set) var isRaw = false

    /// The descriptor to read keys from, for poll(2); -1 after `close`.
    package var input: Int32 { inputDescriptor.number }
    /// The descriptor to write to, for poll(2); -1 after `close`.
    package var output: Int32 { outputDescriptor.number }

    /// Whether both descriptors are terminals, which a guarded program needs.
    package static func isTerminal(input: Int32 = 0, output: Int32 = 1) -> Bool {
        cpty_is_terminal(input) && cpty_is_terminal(output)
    }

    /// Whether one of the standard descriptors is a terminal.
    package static var isAnyTerminal: Bool { (0...2).contains { cpty_is_terminal($0) } }

    /// Whether standard error is another place than the terminal: a program must then write its errors there.
    package static func isErrorRedirected(output: Int32 = 1, error: Int32 = 2) -> Bool {
        !cpty_is_same_terminal(output, error)
    }

    /// Opens the terminal and records its modes.
    package init(input: Int32 = 0, output: Int32 = 1) throws(SystemError) {
        guard let modes = TerminalModes(of: input), cpty_is_terminal(output) else {
            throw SystemError("use the terminal", code: ENOTTY)
        }
        originalModes = modes
        (inputDescriptor, outputDescriptor) = (Self.reopened(input), Self.reopened(output))
    }

    private static func reopened(_ number: Int32) -> Descriptor {
        let own = cpty_reopen_terminal(number)
        return own >= 0 ? Descriptor(own) : Descriptor(number, isOwn: false)
    }

    deinit {
        close()
    }

    // MARK: Modes and size

    /// Records the present modes and sets raw mode. A process in the background is stopped here by SIGTTOU, as every
    /// program is that uses the terminal. Nothing happens in raw mode.
    package func enterRawMode() throws(SystemError) {
        if isRaw { return }
        if let present = TerminalModes(of: input) { originalModes = present }
        try originalModes.raw.apply(to: input)
        isRaw = true
    }

    /// Restores the modes that the terminal had before raw mode. Nothing happens without raw mode.
    package func leaveRawMode() {
        guard isRaw else { return }
        isRaw = false
        // In the background the terminal belongs to another process, and the call would stop this one.
        if isForeground { try? originalModes.apply(to: input) }
    }

    /// Whether this process may read keys and set modes without being stopped: its group is in the terminal's foreground, or the
    /// terminal is not its controlling terminal.
    package var isForeground: Bool { cpty_is_foreground(input) }

    /// Whether the terminal was closed: no key comes any more.
    package var isGone: Bool { input < 0 || cpty_is_hung_up(input) }

    /// The present size; nil if the terminal does not know it.
    package var size: TerminalSize? { TerminalSize(of: output) }

    /// The present modes; nil if the terminal is gone.
    package var modes: TerminalModes? { TerminalModes(of: input) }

    /// Sets the modes at once. In the background they belong to another process, and the call would stop this one.
    package func set(_ modes: TerminalModes) {
        if isForeground { try? modes.apply(to: input) }
    }

    /// Drops the input that has not been read.
    package func dropInput() { _ = cpty_drop_input(input) }

    /// Continues output that Control-S has stopped.
    package func continueOutput() { _ = cpty_continue_output(output) }

    // MARK: Bytes

    package func read(limit: Int = 65536) -> ReadResult {
        if input < 0 { return .ended }
        // A shared descriptor blocks: it is read only when something waits.
        if !inputDescriptor.isOwn, !cpty_has_input(input) { return .nothing }
        let result = DescriptorIO.read(input, limit: limit)
        // Another process may have set VMIN to 0: then a read without input looks like the end.
        return result == .ended && !cpty_is_hung_up(input) ? .nothing : result
    }

    /// Writes what the terminal takes now.
    package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult {
        if output < 0 { return .gone }
        return DescriptorIO.write(output, bytes)
    }

    // MARK: After a crash

    /// Sets what a crash of this process writes to the terminal before the modes are restored. Called again for each
    /// change of the bytes.
    /// - Parameter bytes: at most 4096; more leave the former ones in place.
    package func setEmergencyReset(_ bytes: [UInt8]) throws(SystemError) {
        let result = bytes.withUnsafeBytes { cpty_set_emergency($0.baseAddress, $0.count) }
        _ = try SystemError.check("prepare for a crash", result)
        if isArmed { return }
        var modes = originalModes.system
        _ = try SystemError.check("prepare for a crash", cpty_arm_emergency(output, &modes))
        isArmed = true
    }

    private var isArmed = false

    /// Takes back `setEmergencyReset`, for a time in which the terminal belongs to another process. A crash then only ends this
    /// process.
    package func clearEmergencyReset() {
        if isArmed { _ = cpty_arm_emergency(-1, nil) }
        isArmed = false
    }

    /// Puts bytes into the terminal's input as if they had been typed. Nothing happens where the system does not allow it.
    package func putBack(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, input >= 0 else { return }
        bytes.withUnsafeBytes { _ = cpty_type(input, $0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    }

    /// Restores the modes and closes the terminal. A descriptor that a source watches is closed when the source has ended.
    package func close() {
        leaveRawMode()
        if isArmed { cpty_disarm_emergency() }
        isArmed = false
        (inputDescriptor, outputDescriptor) = (.none, .none)
    }
}
