import Bellerophon
import Foundation
import TerminalUI

/// The appearance of a stream: glyph, words and colour.
package struct StreamLook: Equatable {
    /// Marks everything that was pushed.
    package static let glyph = "⇅"

    package let words: String
    package let style: Style

    /// - Parameters:
    ///   - isOnly: whether the stream replaces polling.
    ///   - columns: the width available to the words.
    package init(_ stream: StreamMachine?, isOnly: Bool, at now: MonotonicInstant, columns: Int) {
        switch stream?.state {
        case nil, .off?: (words, style) = ("none, polling", Theme.muted)
        case .connecting?: (words, style) = (isOnly ? "connecting" : "connecting, polling", Theme.muted)
        case .live(_, let lastHeard)?:
            (words, style) = ("\(Self.glyph) live, heard \(ClockText.compact(lastHeard.duration(to: now))) ago", Theme.live)
        case .waiting(let next)?:
            let retry = ClockText.countdown(max(.zero, now.duration(to: next.due)))
            let long = "down, polling; retry \(retry)"
            words = isOnly || long.count > columns ? "down; retry \(retry)" : long
            style = Theme.warning
        case .ended?: (words, style) = (isOnly ? "refused by the server" : "refused, polling", Theme.warning)
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
