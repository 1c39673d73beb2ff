#if os(Linux)
/// The signal that a write to a pipe without a reader raises.
enum PipeSignal {
    /// Runs a write. Linux sends the signal to the thread that writes, where it is blocked.
    static func withoutSignal(from descriptor: Int32, _ write: () -> Void) { write() }
}
#endif
