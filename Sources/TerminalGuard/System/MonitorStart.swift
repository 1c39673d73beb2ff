internal import CPty
import TerminalIO

/// Passes a command to C, as arrays of C strings.
enum MonitorStart {
    /// Calls `cpty_open`. Returns the monitor's process, or minus the error number.
    static func open(
        _ command: ProgramCommand, modes: TerminalModes?, size: TerminalSize, inheritsStandardError: Bool,
        inheritance: Inheritance, _ master: inout Int32, _ channel: inout Int32
    ) -> Int32 {
        let paths = CStrings(command.candidates), arguments = CStrings(command.arguments)
        let environment = CStrings(command.environment)
        let descriptors = Set(inheritance.descriptors.filter { $0 > 2 }).sorted()
        var size = size.system
        return inheritance.ignoredSignals.withUnsafeBufferPointer { ignored in
            inheritance.blockedSignals.withUnsafeBufferPointer { blocked in
                descriptors.withUnsafeBufferPointer { descriptors in
                    var program = cpty_program(
                        paths: paths.pointer, arguments: arguments.pointer, environment: environment.pointer,
                        ignored: ignored.baseAddress, ignored_count: Int32(clamping: ignored.count),
                        blocked: blocked.baseAddress, blocked_count: Int32(clamping: blocked.count),
                        descriptors: descriptors.baseAddress, descriptor_count: Int32(clamping: descriptors.count),
                        inherits_error: inheritsStandardError
                    )
                    guard var modes = modes?.system else { return cpty_open(&program, nil, &size, &master, &channel) }
                    return cpty_open(&program, &modes, &size, &master, &channel)
                }
            }
        }
    }
}

/// Texts as an array of C strings that is ended by NULL. It exists as long as the object.
final class CStrings {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [[UInt8]]) {
        count = texts.count
        pointer = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
            for (place, byte) in text.enumerated() { copy[place] = CChar(bitPattern: byte) }
            copy[text.count] = 0
            (pointer + index).initialize(to: copy)
        }
        (pointer + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { pointer[index]?.deallocate() }
        pointer.deallocate()
    }
}
