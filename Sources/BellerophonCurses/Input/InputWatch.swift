import CNcurses
import Dispatch

/// Watches standard input on the main queue.
@MainActor
final class InputWatch {
    private var source: (any DispatchSourceRead)?

    var isWatching: Bool { source != nil }

    /// - Parameters:
    ///   - readable: called while bytes are waiting. It must read them; otherwise it is called again immediately.
    ///   - ended: called once when the input has ended or failed. No calls follow.
    func start(readable: @escaping @MainActor () -> Void, ended: @escaping @MainActor () -> Void) {
        stop()
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.source != nil else { return }
                switch cncurses_waiting_bytes(0) {
                case 0: break
                case 1...: readable()
                default:
                    self.stop()
                    ended()
                }
            }
        }
        source.resume()
        self.source = source
    }

    func stop() {
        source?.cancel()
        source = nil
    }
}
