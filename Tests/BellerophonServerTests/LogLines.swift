import Logging
import Synchronization

extension Logger {
    /// Writes nothing.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Collects log messages, one line each.
final class LogLines: LogHandler {
    struct Line: Equatable, Sendable {
        let level: Logger.Level
        let message: String
        let fields: [String: String]
    }

    private let lines = Mutex<[Line]>([])
    var entries: [Line] { lines.withLock { $0 } }
    var all: [String] { entries.map { "\($0.level): \($0.message): \($0.fields["problem"] ?? "")" } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).mapValues { "\($0)" }
        lines.withLock { $0.append(Line(level: event.level, message: event.message.description, fields: fields)) }
    }
}
