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
    private var sources: [Int32: any DispatchSourceSignal] = [:]
    private let makeSource: @MainActor (Int32) -> any DispatchSourceSignal

    /// How long a signal waits for a main queue that is not served.
    package nonisolated static let patience = DispatchTimeInterval.seconds(1)
    private nonisolated static let queue = DispatchQueue(label: "bellerophon.signals", qos: .userInitiated)

    /// - Parameters:
    ///   - handler: called on the main queue with the signal's number; several pending signals of a kind are one call.
    ///   - urgent: those of the signals that do not wait for a main queue that is not served.
    ///   - unserved: called on another thread with the number of an urgent signal that the main queue has not taken within
    ///     ``patience``. Afterwards the main queue does not handle it any more.
    package init(
        _ numbers: [Int32], handler: @escaping @MainActor (Int32) -> Void,
        urgent: [Int32] = [], unserved: @escaping @Sendable (Int32) -> Void = { _ in }
    ) {
        makeSource = { number in
            urgent.contains(number)
                ? Self.source(number, on: Self.queue) { Self.pass(number, to: handler, unserved: unserved) }
                : Self.source(number, on: .main) { MainActor.assumeIsolated { handler(number) } }
        }
        numbers.forEach(watch)
    }

    private func watch(_ number: Int32) {
        cncurses_block_signal(number, true)
        sources[number] = makeSource(number)
    }

    /// Ignores a watched signal until ``endIgnoring(_:)``, as system(3) does while a command has the terminal: the key that sends it
    /// is meant for the command. The system drops the signal when it is sent, so none comes after the command's end.
    package func beginIgnoring(_ number: Int32) {
        guard let source = sources.removeValue(forKey: number) else { return }
        signal(number, SIG_IGN)
        source.cancel()
        // A signal that is blocked would be kept.
        cncurses_block_signal(number, false)
    }

    /// Watches the signal again.
    package func endIgnoring(_ number: Int32) {
        guard sources[number] == nil else { return }
        watch(number)
        signal(number, SIG_DFL)
    }

    // Not isolated, because its closure is called on another queue.
    private nonisolated static func source(
        _ number: Int32, on queue: DispatchQueue, _ arrived: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { arrived() }
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
        for (number, source) in sources {
            source.cancel()
            cncurses_block_signal(number, false)
        }
        sources = [:]
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
