#if Server
import BellerophonBase
import Foundation

extension ServerConfiguration {
    /// Lays a file's settings over the present ones.
    /// - Parameter origin: the file's name, for the errors.
    /// - Throws: ``ConfigurationProblem`` with every problem, not only the first.
    public mutating func apply(file data: Data, origin: String) throws(ConfigurationProblem) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json: data)
        } catch {
            throw ConfigurationProblem(["\(origin): not JSON: \(error)"])
        }
        guard case .object(let fields) = value else {
            throw ConfigurationProblem(["\(origin): expected a JSON object, found \(value.typeName)"])
        }
        var problems: [String] = []
        apply(fields, below: "", &problems)
        guard problems.isEmpty else { throw ConfigurationProblem(problems.map { "\(origin): \($0)" }) }
    }

    private mutating func apply(_ fields: [String: JSONValue], below prefix: String, _ problems: inout [String]) {
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            let path = prefix + key
            if let setting = Self.setting(path) {
                if !set(setting, to: value) {
                    problems.append("\(path): expected \(setting.expected), found \(Self.shown(value))")
                }
            } else if ServerSetting.all.contains(where: { $0.path.hasPrefix(path + ".") }) {
                if case .object(let inner) = value {
                    apply(inner, below: path + ".", &problems)
                } else {
                    problems.append("\(path): expected an object, found \(value.typeName)")
                }
            } else {
                problems.append("unknown key \(HTTPProblem.quoted(path)); did you mean \(Self.nearest(to: path))?")
            }
        }
    }

    /// Lays the environment's variables over the present settings; `PORT` counts where ours is not set.
    ///
    /// An empty variable counts as absent. `HOST` is not read: some shells set it to the machine's name.
    public mutating func apply(environment: [String: String]) throws(ConfigurationProblem) {
        if let port = environment["PORT"], !port.isEmpty { try apply("server.port", text: port, origin: "PORT") }
        for setting in ServerSetting.all {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            try apply(setting.path, text: text, origin: setting.variable)
        }
    }

    /// Lays one setting over the present ones.
    /// - Parameters:
    ///   - text: as a flag or a variable has it: a number or a boolean is read as such where one is expected.
    ///   - origin: the flag or variable, for the errors.
    public mutating func apply(_ path: String, text: String, origin: String) throws(ConfigurationProblem) {
        guard let setting = Self.setting(path) else {
            throw ConfigurationProblem(["\(origin): unknown setting \(HTTPProblem.quoted(path)); did you mean \(Self.nearest(to: path))?"])
        }
        if let value = JSONValue(parsing: Data(text.utf8)), set(setting, to: value) { return }
        guard set(setting, to: .string(text)) else {
            throw ConfigurationProblem(["\(origin): expected \(setting.expected), found \(HTTPProblem.quoted(text))"])
        }
    }

    /// Checks what no single setting can know.
    public func validate() throws(ConfigurationProblem) {
        var problems: [String] = []
        if let tls, tls.certificate.isEmpty || tls.key.isEmpty {
            problems.append("tls: certificate and key belong together; \(tls.key.isEmpty ? "tls.key" : "tls.certificate") is missing")
        }
        if reading.metaPath == reading.dataPath { problems.append("paths: meta and data must differ") }
        if reading.metaPath + ReadSide.signedSuffix == reading.dataPath {
            problems.append("paths.data: the signed meta documents are at \(reading.dataPath)")
        }
        if limits.streams > limits.connections {
            problems.append("limits.streams: expected at most limits.connections (\(limits.connections)), found \(limits.streams)")
        }
        guard problems.isEmpty else { throw ConfigurationProblem(problems) }
    }

    /// - Returns: false where the value is not as expected; nothing is changed then.
    private mutating func set(_ setting: ServerSetting, to value: JSONValue) -> Bool {
        guard setting.apply(value, &self) else { return false }
        given.values[setting.path] = value
        return true
    }

    private static func setting(_ path: String) -> ServerSetting? {
        ServerSetting.all.first { $0.path == path }
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): HTTPProblem.quoted(text)
        case .number(let number): "the number \(number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)")"
        default: value.typeName
        }
    }

    // MARK: Suggestions

    /// The known path that takes the fewest changed characters.
    static func nearest(to path: String) -> String {
        let wanted = Array(path.lowercased().unicodeScalars.prefix(64))
        var best = (path: "", distance: Int.max)
        for setting in ServerSetting.all {
            // A key at the wrong level is meant by its last part.
            let last = setting.path.split(separator: ".").last.map(String.init) ?? setting.path
            let distance = min(
                Self.distance(wanted, Array(setting.path.lowercased().unicodeScalars)),
                Self.distance(wanted, Array(last.lowercased().unicodeScalars)) + 1
            )
            if distance < best.distance { best = (setting.path, distance) }
        }
        return best.path
    }

    /// How many characters one has to insert, remove or replace (Levenshtein).
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var row = Array(0...other.count)
        for (i, scalar) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in other.enumerated() {
                let replaced = diagonal + (scalar == candidate ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
#endif
