import Barricade
import Bellerophon

/// A change of the simulated time as a person writes it: `+2h`, `-30m`, `90s`, `2026-12-05T21:55:00Z` or `next`.
package enum TimeStep: Equatable, Sendable {
    case by(Duration)
    case to(SimulatedTime)
    /// To the next change that a rule causes.
    case next

    /// The longest step in seconds: ten years.
    package static let limit = 10 * 365.25 * 86_400

    /// What a person may write, for an error.
    package static let forms = "a step such as +2h, -30m, +1d or +90s, a time such as 2026-12-05T21:55:00Z, or next"

    /// Reads a step; nil if the text is none.
    package init?(_ text: String) {
        if text == "next" {
            self = .next
        } else if let time = SimulatedTime(text) {
            self = .to(time)
        } else if let seconds = Self.seconds(text), abs(seconds) <= Self.limit {
            self = .by(.seconds(seconds))
        } else {
            return nil
        }
    }

    private static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let sign = text.first, let unit = text.last.flatMap({ units[$0] }) else { return nil }
        let digits = text.dropFirst("+-".contains(sign) ? 1 : 0).dropLast()
        guard (1...9).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Double(digits)
        else { return nil }
        return (sign == "-" ? -1 : 1) * number * unit
    }

    /// The request for it.
    package var request: ControlRequest {
        switch self {
        case .by(let span): .tell(.moveTime(span))
        case .to(let time): .tell(.setTime(time))
        case .next: .shortcut(.nextChange)
        }
    }
}
