/// Decides how much of the program's output may be read, so that what waits in this process is no more than the terminal takes
/// in a fifth of a second.
///
/// A cover, and the end of the output after Control-C, come behind everything that was read. What a terminal has taken is known,
/// but not what it has shown: the kernel, a multiplexer or a connection holds some of it. Therefore only what the terminal has
/// taken beyond ``kernelQueue`` within ``window`` counts as evidence of its speed. A fast terminal gives it with its first
/// pieces; a slow one never does.
struct OutputPacer: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The time whose output may wait.
    static let window = Duration.milliseconds(200)
    /// The most bytes that are read at once.
    static let largest = 65536
    /// The bytes that are read at once from a terminal without evidence of speed. It adds little to what the kernel holds.
    static let smallest = 1024
    /// The bytes that are read at once after a pause: full-screen programs draw so much at a time, and the kernel has room for it.
    static let first = 4096
    /// More bytes than the kernel holds between a process and a pseudo-terminal's reader (up to 20 KiB on Linux 6).
    static let kernelQueue = 24576

    /// How many parts the window has.
    private static let parts = 4

    /// What the terminal has taken in the parts of the window in which something was sent. They are numbered from the start on.
    private var taken: [(part: Int, bytes: Int)] = []
    /// The last time at which something waited for the terminal.
    private var lastWait: Instant?
    private let start: Instant

    /// - Parameter start: the present time.
    init(start: Instant) { self.start = start }

    /// Takes note of what the terminal has taken.
    /// - Parameters:
    ///   - count: the bytes that it has taken since the last call.
    ///   - waiting: the bytes that still wait.
    mutating func sent(_ count: Int, waiting: Int, at now: Instant) {
        let present = part(at: now)
        taken.removeAll { $0.part <= present - Self.parts }
        if taken.last?.part != present { taken.append((present, 0)) }
        taken[taken.count - 1].bytes += count
        if waiting > 0 { lastWait = now }
    }

    /// The most bytes of output that may be read now; 0 while the terminal is behind.
    /// - Parameter waiting: the bytes that wait for the terminal.
    func allowance(waiting: Int, at now: Instant) -> Int {
        guard waiting == 0 else { return 0 }
        let present = part(at: now)
        let recent = taken.reduce(0) { $1.part > present - Self.parts ? $0 + $1.bytes : $0 }
        let hasWaited = lastWait.map { now - $0 < Self.window } ?? false
        let least = hasWaited ? Self.smallest : max(Self.smallest, Self.first - recent)
        return min(max(least, recent - Self.kernelQueue), Self.largest)
    }

    private func part(at now: Instant) -> Int { Int((now - start) / (Self.window / Self.parts)) }
}
