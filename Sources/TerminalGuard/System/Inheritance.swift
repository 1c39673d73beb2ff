internal import CPty

/// What a program inherits from the process that starts it, beside the environment, the working directory and the limits.
package struct Inheritance: Equatable, Sendable {
    /// Signals that the program ignores from its start; every other one has its default action.
    package var ignoredSignals: [Int32] = []
    /// Signals that are blocked from the program's start.
    package var blockedSignals: [Int32] = []
    /// Descriptors above 2 that the program inherits. All others are closed.
    package var descriptors: [Int32] = []

    /// What this process itself inherited, as recorded when it was loaded. A program that is started with it has what it
    /// would have without a process in between: `nohup` and `3<file` keep their effect.
    package static var ofThisProcess: Inheritance {
        var count: Int32 = 0
        let descriptors = cpty_inherited_descriptors(&count)
        return Inheritance(
            ignoredSignals: (1..<cpty_signal_limit()).filter { cpty_was_ignored($0) },
            blockedSignals: (1..<cpty_signal_limit()).filter { cpty_was_blocked($0) },
            descriptors: Array(UnsafeBufferPointer(start: descriptors, count: Int(count)))
        )
    }
}
