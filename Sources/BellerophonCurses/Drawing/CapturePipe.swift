import CPty
import Foundation
import Synchronization
import TerminalIO

/// A pipe that is emptied into memory, so that a writer never waits for long.
///
/// ncurses writes to a descriptor, and a pipe has a bounded size: a thread empties it while a large screen is painted. A file in memory
/// needs no thread, but a write to it under a limit of the size of files (`ulimit -f`) raises SIGXFSZ and loses the frame.
final class CapturePipe: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    /// The end to write to. The capture ends when it is closed.
    let input: Int32
    private let output: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemError.check("make a pipe", cpty_make_pipe(&ends))
        (output, input) = (ends[0], ends[1])
        Thread.detachNewThread { [self] in
            cpty_block_all_signals()
            while cpty_wait_for_input(output) {
                // ncurses writes at each movement of the cursor. Most screens are complete, and drained by the writer, after this time.
                usleep(500)
                bytes.withLock { read(into: &$0) }
            }
            _ = cpty_close(output)
        }
    }

    private func read(into bytes: inout [UInt8]) {
        while case .bytes(let more) = DescriptorIO.read(output, limit: 1 << 16) { bytes += more }
    }

    /// Takes out everything that was written until now.
    func drain() -> [UInt8] {
        bytes.withLock { bytes in
            read(into: &bytes)
            defer { bytes = [] }
            return bytes
        }
    }
}
