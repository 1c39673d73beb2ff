import Bellerophon
import Foundation

/// Events as lines for standard output, as text for people or as JSON.
package struct PlainOutput: Sendable {
    package enum Format: Sendable {
        /// One line for each change, link and action, with the time before it.
        case text
        /// One JSON object on each line.
        case json
    }

    package let format: Format
    /// The time zone of the times in text.
    private let timeZone: TimeZone
    /// The words of text.
    package let phrases: PlainPhrases

    package init(_ format: Format, timeZone: TimeZone = .current, phrases: OverlayPhrases = .english) {
        self.format = format
        self.timeZone = timeZone
        self.phrases = PlainPhrases(format == .json ? .english : phrases)
    }

    /// The lines of an event, each with its end.
    /// - Parameter service: the service's name; nil if the program watches only one.
    package func text(_ event: PlainEvent, of service: String? = nil, at date: Date) -> String {
        switch format {
        case .text:
            let time = event.isListing ? "" : ClockText.time(date, in: timeZone) + " "
            let name = service.map { "\($0): " } ?? ""
            return event.lines(at: date, in: timeZone, phrases).map { "\(time)\(name)\($0)\n" }.joined()
        case .json: return event.json(of: service, at: date) + "\n"
        }
    }
}
