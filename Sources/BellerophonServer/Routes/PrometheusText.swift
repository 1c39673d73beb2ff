#if Server
/// Figures in Prometheus' text form 0.0.4: families, each with a help and a type, and their samples.
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

    /// The same where there is a value.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, known value: (some CustomStringConvertible)?) {
        if let value { single(name, kind, help, value) }
    }

    /// A label's value between its quotes.
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
#endif
