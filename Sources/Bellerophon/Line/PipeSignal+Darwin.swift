#if canImport(Darwin)
import Darwin

/// The signal that a write to a pipe without a reader raises.
enum PipeSignal {
    /// Runs a write with the signal turned off for the descriptor: Darwin sends it to the process, so no mask of a thread helps.
    static func withoutSignal(from descriptor: Int32, _ write: () -> Void) {
        let before = fcntl(descriptor, F_GETNOSIGPIPE)
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        write()
        if before == 0 { _ = fcntl(descriptor, F_SETNOSIGPIPE, 0) }
    }
}
#endif
