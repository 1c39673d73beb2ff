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

    /// The apps of a rule: `below 1.5.2 on linux, except ci true`.
    static func audience(_ rule: Rule) -> String {
        let exceptions = rule.except.map { exemption in
            switch exemption {
            case .conditions(let conditions):
                " except " + (conditions.isEmpty ? "every app" : Self.conditions(conditions, with: ""))
            case .unreadable: " except every app, because an exception is not understood"
            }
        }
        let hasVersion = rule.only.contains { if case .version = $0 { true } else { false } }
        let audience = (hasVersion ? [] : ["every app"]) + (rule.only.isEmpty ? [] : [conditions(rule.only, with: "with ")])
        return ([audience.joined(separator: " ")] + exceptions).joined(separator: ",")
    }

    private static func conditions(_ conditions: [Condition], with: String) -> String {
        let texts = conditions.map { condition in
            switch condition {
            case .version(let ranges): ranges.map(\.text).joined(separator: " or ")
            case .osVersion(let ranges): "\(with)the system's version \(ranges.map(\.text).joined(separator: " or "))"
            case .fact("os", let values): "on \(values.joined(separator: " or "))"
            case .fact(let name, let values): "\(with)\(name) \(values.joined(separator: " or "))"
            case .share(let share): "in \(share.text) of the installations"
            }
        }
        return TextSanitizer.sanitize(texts.joined(separator: " "), keepingNewlines: false, limit: 400)
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
