import Foundation

/// One JSON object on one line, its members in the order in which they are added.
struct JSONLine {
    private var members: [String] = []

    init() {}

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: String?) {
        append(name, value.map(Self.quoted) ?? "null")
    }

    mutating func add(_ name: String, _ value: Int?) {
        append(name, value.map(String.init) ?? "null")
    }

    mutating func add(_ name: String, _ value: Bool) {
        append(name, value ? "true" : "false")
    }

    /// A time span in units of another, with three decimals at most.
    mutating func add(_ name: String, _ value: Duration?, in unit: Duration) {
        append(name, value.map { Self.number($0 / unit) } ?? "null")
    }

    mutating func add(_ name: String, _ object: JSONLine) {
        append(name, object.text)
    }

    mutating func add(_ name: String, _ objects: [JSONLine]) {
        append(name, "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    private mutating func append(_ name: String, _ json: String) {
        members.append(Self.quoted(name) + ":" + json)
    }

    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "null" }
        let thousandths = Int((value * 1000).rounded())
        let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
        var text = (thousandths < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        text += "." + String(String(rest + 1000).dropFirst())
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }

    /// Text as JSON (RFC 8259). What would break or fake a line is escaped.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || scalar.value == 0x2028 || scalar.value == 0x2029:
                out += "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
