internal import CPty
import SafeText

/// The facts of one process of a guarded program, at one moment.
package struct TreeProcess: Equatable, Sendable {
    /// What names one process only: its number can belong to another process later, and then the start differs.
    package struct Identity: Hashable, Sendable {
        package var pid: Int32
        /// In ticks since the start of the system.
        package var start: UInt64
    }

    /// What a process does, as far as pausing and killing need it.
    package enum State: Equatable, Sendable {
        /// It runs, or waits for something that a signal interrupts.
        case running
        /// It waits in a system call that no signal interrupts.
        case uninterruptible
        /// A signal has stopped it.
        case stopped
        /// Its debugger has stopped it.
        case traced
        /// It has ended and is not reaped.
        case ended
    }

    package var identity: Identity
    package var parent: Int32
    /// Its process group, if all processes of the group are in the tree; 0 otherwise.
    package var group: Int32
    package var state: State
    /// At most 15 bytes of its name, without control characters.
    package var name: String

    package var pid: Int32 { identity.pid }
}

extension TreeProcess {
    init(_ process: cpty_process) {
        let name = withUnsafeBytes(of: process.name) { bytes in
            TextSanitizer.sanitize(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self), keepingNewlines: false)
        }
        self.init(
            identity: Identity(pid: process.pid, start: process.start), parent: process.parent, group: process.group,
            state: State(letter: process.state), name: name)
    }
}

extension TreeProcess.State {
    /// - Parameter letter: the letter in `/proc/PID/stat`.
    init(letter: CChar) {
        switch UInt8(bitPattern: letter) {
        case UInt8(ascii: "D"): self = .uninterruptible
        case UInt8(ascii: "T"): self = .stopped
        case UInt8(ascii: "t"): self = .traced
        case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): self = .ended
        default: self = .running
        }
    }

    /// Whether the process does nothing in this state.
    var isHeld: Bool { self != .running && self != .uninterruptible }
}
