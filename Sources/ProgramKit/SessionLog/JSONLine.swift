import BellerophonBase
import Foundation
import TerminalUI

/// One JSON object on one line, with its members in the order of addition.
package struct JSONLine {
    private var members: [String] = []

    package init() {}

    package var text: String { "{" + members.joined(separator: ",") + "}" }

    /// - Parameter value: possibly from outside; it is sanitised, so that the line is safe to print.
    package mutating func add(_ name: String, _ value: String?) {
        append(name, value.map(Self.quoted) ?? "null")
    }

    package mutating func add(_ name: String, _ value: Int?) {
        append(name, value.map(String.init) ?? "null")
    }

    package mutating func add(_ name: String, _ value: Bool) {
        append(name, value ? "true" : "false")
    }

    /// A duration in multiples of `unit`, with at most three decimals.
    package mutating func add(_ name: String, _ value: Duration?, in unit: Duration) {
        append(name, value.map { Self.number($0 / unit) } ?? "null")
    }

    package mutating func add(_ name: String, _ object: JSONLine) {
        append(name, object.text)
    }

    package mutating func add(_ name: String, _ texts: [String]) {
        append(name, "[" + texts.map(Self.quoted).joined(separator: ",") + "]")
    }

    package mutating func add(_ name: String, _ objects: [JSONLine]) {
        append(name, "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// Adds a value that knows its own JSON.
    package mutating func add(_ name: String, _ value: some Encodable) { append(name, Self.json(value)) }

    /// Adds the members of an object beside the others.
    package mutating func addMembers(of object: some Encodable) {
        let text = Self.json(object).dropFirst().dropLast()
        if !text.isEmpty { members.append(String(text)) }
    }

    private static func json(_ value: some Encodable) -> String { JSONText.sanitized(encoding: value) ?? "null" }

    private static func quoted(_ text: String) -> String {
        JSONText.quoted(TextSanitizer.printable(text), escaping: \.isInvisible)
    }

    private mutating func append(_ name: String, _ json: String) {
        members.append(JSONText.quoted(name, escaping: \.isInvisible) + ":" + json)
    }

    package static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "null" }
        let thousandths = Int((value * 1000).rounded())
        let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
        var text = (thousandths < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        text += "." + String(String(rest + 1000).dropFirst())
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }
}
