internal import CPty
import Processes
import TerminalIO

/// Passes a command to C, as arrays of C strings.
struct MonitorStart {
    let command: ProgramCommand
    let place: GuardedProgram.Place
    let options: GuardedProgram.Options

    /// What `cpty_open` or `cpty_open_plain` returned: the monitor's process or minus the error number, and the descriptors.
    struct Result {
        var monitor: Int32 = -1
        /// -1 without a pseudo-terminal.
        var master: Int32 = -1
        var channel: Int32 = -1
        /// The monitor's parent.
        var warden: Int32 = -1
    }

    /// Makes the pseudo-terminal, if the place is one, and the monitor.
    func open() -> Result {
        let inheritance = options.inheritance
        let descriptors = Set(inheritance.descriptors.filter { $0 > 2 }).sorted()
        let paths = CStrings(command.candidates), arguments = CStrings(command.arguments)
        let (variables, markOffset) = environmentWithMark
        let environment = CStrings(variables)
        let mark = markOffset.flatMap { offset in environment.pointer[variables.count - 1].map { $0 + offset } }
        return inheritance.ignoredSignals.withUnsafeBufferPointer { ignored in
            inheritance.blockedSignals.withUnsafeBufferPointer { blocked in
                descriptors.withUnsafeBufferPointer { descriptors in
                    var program = cpty_program(
                        paths: paths.pointer, arguments: arguments.pointer, environment: environment.pointer,
                        mark: mark, ignored: ignored.baseAddress, ignored_count: Int32(clamping: ignored.count),
                        blocked: blocked.baseAddress, blocked_count: Int32(clamping: blocked.count),
                        descriptors: descriptors.baseAddress, descriptor_count: Int32(clamping: descriptors.count),
                        inherits_error: false, shares_group: false, keeps_orphans: options.orphans == .keep,
                        control_group: options.controlGroup
                    )
                    return open(&program)
                }
            }
        }
    }

    /// The program's environment. With a mark, its variable is the last one, with room for the value.
    /// - Returns: where the value begins in the last variable; nil without a mark.
    private var environmentWithMark: (variables: [[UInt8]], offset: Int?) {
        var variables = command.environment
        guard let name = command.markVariable else { return (variables.entries, nil) }
        variables[name] = String(repeating: "0", count: Int(cpty_mark_room) - 1)
        return (variables.entries, name.utf8.count + 1)
    }

    private func open(_ program: inout cpty_program) -> Result {
        var result = Result()
        switch place {
        case .standard(let sharesGroup):
            program.shares_group = sharesGroup
            result.monitor = cpty_open_plain(&program, &result.channel, &result.warden)
        case .terminal(let modes, let size, let inheritsStandardError):
            program.inherits_error = inheritsStandardError
            var size = size.system
            let modes = modes.map { [$0.system] }
            result.monitor = cpty_open(&program, modes, &size, &result.master, &result.channel, &result.warden)
        }
        return result
    }
}
