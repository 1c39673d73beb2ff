import Bellerophon
import Foundation
import TerminalUI

/// The appearance of a stream: glyph, words and colour.
package enum StreamLook {
    /// Marks everything that was pushed.
    package static let glyph = "⇅"

    /// The state of a stream in words.
    /// - Parameters:
    ///   - isOnly: whether the stream replaces polling.
    ///   - columns: the width available to the words.
    package static func words(
        _ stream: StreamMachine?, isOnly: Bool, at now: MonotonicInstant, columns: Int
    ) -> TextLine.Span {
        switch stream?.state {
        case nil, .off?: return .init("none, polling", Theme.muted)
        case .connecting?: return .init(isOnly ? "connecting" : "connecting, polling", Theme.muted)
        case .live(_, let lastHeard)?:
            return .init("\(glyph) live, heard \(ClockText.compact(lastHeard.duration(to: now))) ago", Theme.live)
        case .waiting(let next)?:
            let retry = ClockText.countdown(max(.zero, now.duration(to: next.due)))
            let long = "down, polling; retry \(retry)"
            return .init(isOnly || long.count > columns ? "down; retry \(retry)" : long, Theme.warning)
        case .ended?: return .init(isOnly ? "refused by the server" : "refused, polling", Theme.warning)
        }
    }
}

/// The time from a status's publication until it was painted, if both clocks agree well enough.
package enum PublishLatency {
    /// - Parameters:
    ///   - published: by the server's clock.
    ///   - painted: by this computer's clock.
    /// - Returns: nil if the result is below zero or above a minute: the clocks differ, or the status is an old one.
    package static func between(_ published: Date?, and painted: Date) -> Duration? {
        guard let published else { return nil }
        let seconds = painted.timeIntervalSince(published)
        return (0...60).contains(seconds) ? .seconds(seconds) : nil
    }
}
