internal import CPty
import Processes
import TerminalIO

/// What `cpty_open` or `cpty_open_plain` returned: the monitor's process or minus the error number, and the descriptors.
struct MonitorStart {
    private(set) var monitor: Int32 = -1
    /// -1 without a pseudo-terminal.
    private(set) var master: Int32 = -1
    private(set) var channel: Int32 = -1
    /// The monitor's parent.
    private(set) var warden: Int32 = -1

    /// Makes the pseudo-terminal, if the place is one, and the monitor. The command is passed to C as arrays of C strings.
    init(_ command: ProgramCommand, in place: GuardedProgram.Place, _ options: GuardedProgram.Options) {
        let inheritance = options.inheritance
        let descriptors = Set(inheritance.descriptors.filter { $0 > 2 }).sorted()
        let paths = CStrings(command.candidates), arguments = CStrings(command.arguments)
        var variables = command.environment
        // The variable of a mark is the last one, with room for the value.
        if let name = command.markVariable { variables[name] = String(repeating: "0", count: Int(cpty_mark_room) - 1) }
        let environment = CStrings(variables.entries)
        let mark = command.markVariable.flatMap { name in
            environment.pointer[variables.entries.count - 1].map { $0 + name.utf8.count + 1 }
        }
        inheritance.ignoredSignals.withUnsafeBufferPointer { ignored in
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
                    withExtendedLifetime((paths, arguments, environment)) { open(&program, in: place) }
                }
            }
        }
    }

    private mutating func open(_ program: inout cpty_program, in place: GuardedProgram.Place) {
        switch place {
        case .standard(let sharesGroup):
            program.shares_group = sharesGroup
            monitor = cpty_open_plain(&program, &channel, &warden)
        case .terminal(let modes, let size, let inheritsStandardError):
            program.inherits_error = inheritsStandardError
            let modes = modes.map { [$0.system] }
            var size = size.system
            monitor = cpty_open(&program, modes, &size, &master, &channel, &warden)
        }
    }
}
