internal import CPty

/// How a child process starts: its arguments, and what it gets of this process.
///
/// No signal is blocked in the child, and every signal has its default action. It would otherwise inherit the signals that
/// Dispatch blocks.
package struct ChildStart: Sendable {
    /// The processes that get a signal together with the child.
    package enum Group: Sendable {
        /// The child is in the group of this process.
        case shared
        /// The child leads a group of its own, in the session of this process.
        case own
        /// The child leads a session of its own, without a terminal.
        case session
    }

    /// Where a descriptor of the child leads.
    package struct Descriptor: Sendable {
        /// The descriptor of this process; nil for the null device.
        package var source: Int32?
        /// Its number in the child.
        package var number: Int32

        package init(_ source: Int32?, as number: Int32) {
            (self.source, self.number) = (source, number)
        }
    }

    /// The program and its arguments. A name without a slash is searched in `PATH`.
    package var arguments: [String]
    /// The environment; nil for that of this process.
    package var environment: ProcessVariables?
    package var group = Group.shared
    package var descriptors: [Descriptor] = []
    /// Whether the child leads a session of its own, and is killed with its group when this process ends, however it ends. Between the
    /// two is a process that waits for this; the number of the child is that process's.
    package var endsWithThisProcess = false
    /// Every other descriptor from this number on is closed in the child; nil to inherit those without close-on-exec.
    package var firstClosed: Int32?

    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Starts the process.
    /// - Returns: its number, and the descriptor whose end ends the process; negative without one.
    func start() throws(StartError) -> (number: pid_t, life: Int32) {
        let arguments = CStrings(arguments.map { Array($0.utf8) })
        let environment = environment.map { CStrings($0.entries) }
        let descriptors = descriptors.map { cpty_child_descriptor(source: $0.source ?? -1, number: $0.number) }
        var life: Int32 = -1
        let result = descriptors.withUnsafeBufferPointer { descriptors in
            var child = cpty_child(
                arguments: arguments.pointer, environment: environment?.pointer, descriptors: descriptors.baseAddress,
                descriptor_count: Int32(clamping: descriptors.count), first_closed: firstClosed ?? -1,
                leads_session: group == .session, leads_group: group == .own)
            return withExtendedLifetime((arguments, environment)) {
                endsWithThisProcess ? cpty_start_kept_child(&child, &life) : cpty_start_child(&child)
            }
        }
        guard result > 0 else { throw StartError(code: -result) }
        return (result, life)
    }
}

/// A process that can't be started.
package struct StartError: Error, Equatable, Sendable {
    /// The value of `errno`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(code)) }
}
