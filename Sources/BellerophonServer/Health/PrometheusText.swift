/// Prometheus' text format 0.0.4: metric families, each with a help, a type and its samples.
struct PrometheusText {
    private var lines: [String] = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Begins a family, of counters if its name says so; its samples follow.
    mutating func family(_ name: String, _ help: String) {
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(name.hasSuffix("_total") ? "counter" : "gauge")")
    }

    mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String> = [:], _ value: any CustomStringConvertible) {
        let shown = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append("\(name)\(labels.isEmpty ? "" : "{\(shown)}") \(value)")
    }

    /// A family with one sample, or none if the value is not known. A condition is 1 or 0.
    mutating func single(_ name: String, _ help: String, _ value: (any CustomStringConvertible)?) {
        guard let value else { return }
        family(name, help)
        sample(name, [:], (value as? Bool).map { $0 ? 1 : 0 } ?? value)
    }

    /// Escapes a label's value.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
