import CNcurses
import Dispatch
import Foundation

/// Watches signals on the main queue.
///
/// The signals are blocked in the calling thread and in threads that it starts later. Create the watch before other
/// threads: a signal that is unblocked in another thread has its old disposition there.
@MainActor
package final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private let numbers: [Int32]

    /// - Parameter handler: called on the main queue with the signal's number; several pending signals of a kind are
    ///   one call.
    package init(_ numbers: [Int32], handler: @escaping @MainActor (Int32) -> Void) {
        self.numbers = numbers
        for number in numbers {
            cncurses_block_signal(number, true)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { MainActor.assumeIsolated { handler(number) } }
            source.resume()
            sources.append(source)
        }
    }

    /// Restores the handling of the signals.
    package func cancel() {
        sources.forEach { $0.cancel() }
        sources = []
        numbers.forEach { cncurses_block_signal($0, false) }
    }

    /// Ends this process with a signal, so that its exit status shows it.
    package static func end(by number: Int32) -> Never {
        cncurses_raise_default(number, false)
        // A signal whose default is to be ignored does not end the process.
        exit(128 + number)
    }
}
