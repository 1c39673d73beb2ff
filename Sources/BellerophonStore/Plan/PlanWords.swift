import Foundation
import SafeText
import StatusModel

/// The words of everything that is said of a plan.
enum PlanWords {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    /// `15 December 2026 00:00 UTC`, with seconds only if there are some.
    static func time(_ date: Date) -> String {
        let text = PlanTime.text(date)
        let parts = text.split { !$0.isNumber }
        guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]) else { return text }
        let seconds = parts[5] == "00" ? "" : ":\(parts[5])"
        return "\(day) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4])\(seconds) UTC"
    }

    /// When a rule holds: `from 15 December 2026 00:00 UTC until 16 December 2026 00:00 UTC`.
    static func times(_ rule: Rule, _ now: Date) -> String {
        let start = rule.from.flatMap { $0 > now ? "from \(time($0))" : nil } ?? "from now on"
        return start + (rule.until.map { " until \(time($0))" } ?? "")
    }

    /// A text of the document in quotation marks.
    static func quoted(_ text: String) -> String {
        "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))\""
    }

    /// A count: `1,204`.
    static func number(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(Self.number(number / 1000)),\("\(number % 1000 + 1000)".dropFirst())"
    }

    /// `2 minutes`, `90 s`.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(), 0), 1e9))
        let parts = [(whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")]
        let text = parts.filter { $0.0 > 0 }.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
        return text.isEmpty ? "0 s" : text
    }
}
