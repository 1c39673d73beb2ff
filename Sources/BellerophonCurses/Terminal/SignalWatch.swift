import CNcurses
import Dispatch

/// Watches signals on the main queue.
///
/// The signals are blocked for the calling thread and those it starts later, so make it before other threads:
/// a thread with a signal unblocked would take it by its old disposition.
@MainActor
final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private let numbers: [Int32]

    /// - Parameter handler: called on the main queue with the signal's number, once for several of a kind at a time.
    init(_ numbers: [Int32], handler: @escaping @MainActor (Int32) -> Void) {
        self.numbers = numbers
        for number in numbers {
            cncurses_block_signal(number, true)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { MainActor.assumeIsolated { handler(number) } }
            source.resume()
            sources.append(source)
        }
    }

    /// Lets the signals act again as they did before.
    func cancel() {
        sources.forEach { $0.cancel() }
        sources = []
        numbers.forEach { cncurses_block_signal($0, false) }
    }
}
