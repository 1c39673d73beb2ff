#if Server
import Logging
import Synchronization

/// What was logged, one line for each.
final class LogLines: LogHandler {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var logLevel: Logger.Level { get { .trace } set {} }
    var metadata: Logger.Metadata { get { [:] } set {} }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? { get { nil } set {} }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level): \(event.message): \(event.metadata?["problem"] ?? "")") }
    }
}
#endif
