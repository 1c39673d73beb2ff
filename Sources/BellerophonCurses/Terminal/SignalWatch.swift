import CNcurses
import Dispatch
import Foundation
import Synchronization

/// Watches signals, and handles them on the main queue.
///
/// The signals are blocked in the calling thread and in threads that it starts later. Create the watch before other
/// threads: a signal that is unblocked in another thread has its old disposition there.
@MainActor
package final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private let numbers: [Int32]

    /// How long a signal waits for a main queue that is not served.
    package nonisolated static let patience = DispatchTimeInterval.seconds(1)
    private nonisolated static let queue = DispatchQueue(label: "bellerophon.signals", qos: .userInitiated)

    /// - Parameters:
    ///   - handler: called on the main queue with the signal's number; several pending signals of a kind are one call.
    ///   - unserved: called on another thread with the number of a signal that the main queue has not taken within ``patience``.
    ///     Without it the signals are received on the main queue itself, in order with its other sources.
    package init(
        _ numbers: [Int32], handler: @escaping @MainActor (Int32) -> Void,
        unserved: (@Sendable (Int32) -> Void)? = nil
    ) {
        self.numbers = numbers
        for number in numbers {
            cncurses_block_signal(number, true)
            sources.append(Self.source(number, handler, unserved))
        }
    }

    // Not isolated, because its closure is called on another queue.
    private nonisolated static func source(
        _ number: Int32, _ handler: @escaping @MainActor (Int32) -> Void, _ unserved: (@Sendable (Int32) -> Void)?
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: unserved == nil ? .main : queue)
        source.setEventHandler {
            guard let unserved else { return MainActor.assumeIsolated { handler(number) } }
            pass(number, to: handler, unserved: unserved)
        }
        source.resume()
        return source
    }

    private nonisolated static func pass(
        _ number: Int32, to handler: @escaping @MainActor (Int32) -> Void, unserved: @escaping @Sendable (Int32) -> Void
    ) {
        let once = Once()
        DispatchQueue.main.async {
            guard once.claim() else { return }
            MainActor.assumeIsolated { handler(number) }
        }
        queue.asyncAfter(deadline: .now() + patience) {
            if once.claim() { unserved(number) }
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

/// Lets one of several callers do something.
private final class Once: Sendable {
    private let isClaimed = Atomic(false)

    /// Returns true once.
    func claim() -> Bool { !isClaimed.exchange(true, ordering: .acquiringAndReleasing) }
}
