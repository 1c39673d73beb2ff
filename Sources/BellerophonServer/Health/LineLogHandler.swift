import Foundation
import Logging
import SafeText
import Synchronization

/// Writes one line per event to standard error, as text or as JSON.
///
/// Line breaks, control characters and invisible characters are removed or escaped, so that the text from a parsed JSON
/// line is also safe to print.
package struct LineLogHandler: LogHandler {
    private let shared: LogLevel
    /// The level that was set on this logger only.
    private var own: Logger.Level?
    package var metadata: Logger.Metadata = [:]
    private let format: ServerConfiguration.LogFormat
    /// The maximum size of one text in a line, in bytes.
    private static let textLimit = 8192

    /// - Parameter level: the level of every logger without its own; it may change later.
    package init(format: ServerConfiguration.LogFormat, level: LogLevel) {
        self.format = format
        shared = level
    }

    package var logLevel: Logger.Level {
        get { own ?? shared.value }
        set { own = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.map { ($0.key, "\($0.value)") }
        let line = Self.line(Date(), event.level, event.message.description, fields.sorted { $0.0 < $1.0 }, format)
        // One call per line, so that lines of several threads do not mix.
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func line(
        _ date: Date, _ level: Logger.Level, _ message: String, _ fields: [(String, String)],
        _ format: ServerConfiguration.LogFormat
    ) -> String {
        let time = timestamp(date)
        switch format {
        case .text:
            let shown = fields.map { " \($0.0)=\(word($0.1))" }.joined()
            let name = level.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
            return "\(time) \(name) \(clean(message))\(shown)"
        case .json:
            let all = [("time", time), ("level", level.rawValue), ("message", message)] + fields
            return "{"
                + all.map { "\(UnseenText.quoted($0.0)):\(UnseenText.quoted(TextSanitizer.sanitize($0.1, limit: textLimit)))" }
                .joined(separator: ",") + "}"
        }
    }

    /// ISO 8601 in UTC, with milliseconds.
    private static func timestamp(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    private static func word(_ text: String) -> String {
        let clean = clean(text)
        return clean.isEmpty || clean.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) ? UnseenText.quoted(clean) : clean
    }

    private static func clean(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: textLimit)
    }
}

/// The lowest level that is logged. It may change while the server runs.
package typealias LogLevel = Replaceable<Logger.Level>

/// A value that a reload can replace while the server runs.
package final class Replaceable<Value: Sendable>: Sendable {
    private let present: Mutex<Value>

    package init(_ first: Value) { present = Mutex(first) }

    var value: Value { present.withLock { $0 } }

    package func set(_ newer: Value) { present.withLock { $0 = newer } }
}
