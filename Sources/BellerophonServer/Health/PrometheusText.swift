/// Prometheus' text format 0.0.4: metric families, each with a help, a type and its samples.
struct PrometheusText {
    enum Kind: String { case counter, gauge, histogram }

    private var lines: [String] = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Begins a family; its samples follow.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(kind.rawValue)")
    }

    mutating func sample(_ name: String, _ value: some CustomStringConvertible) {
        lines.append("\(name) \(value)")
    }

    mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: some CustomStringConvertible) {
        let shown = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append("\(name){\(shown)} \(value)")
    }

    /// A family with one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: some CustomStringConvertible) {
        family(name, kind, help)
        sample(name, value)
    }

    /// Adds a family with one sample if the value is known.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, known value: (some CustomStringConvertible)?) {
        if let value { single(name, kind, help, value) }
    }

    /// Escapes a label's value.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
