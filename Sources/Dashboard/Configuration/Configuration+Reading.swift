import Bellerophon
import BellerophonBase
public import Foundation
import TerminalUI

extension Configuration {
    // MARK: The file

    /// Lays a file's settings over the present ones. All problems are found, not only the first.
    /// - Parameter origin: the file's name, for the errors.
    public mutating func apply(file data: Data, origin: String) throws(ConfigurationError) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(json: data)
        } catch {
            throw ConfigurationError(origin: origin, "not JSON: \(error)")
        }
        guard case .object(let fields) = value else {
            throw ConfigurationError(origin: origin, "expected a JSON object, found \(value.typeName)")
        }
        var problems: [String] = []
        apply(fields, below: "", &problems)
        guard problems.isEmpty else { throw ConfigurationError(origin: origin, problems: problems) }
    }

    private mutating func apply(_ fields: [String: JSONValue], below prefix: String, _ problems: inout [String]) {
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) where key != "$schema" {
            let path = prefix + key
            if let setting = Setting.all.first(where: { $0.path == path }) {
                guard setting.apply(value, &self) else {
                    problems.append("\(path): expected \(setting.expected), found \(Self.shown(value))")
                    continue
                }
            } else if Setting.all.contains(where: { $0.path.hasPrefix(path + ".") }) {
                guard case .object(let inner) = value else {
                    problems.append("\(path): expected an object, found \(value.typeName)")
                    continue
                }
                apply(inner, below: path + ".", &problems)
            } else {
                problems.append("\(TextSanitizer.sanitize(path, keepingNewlines: false, limit: 80)): unknown key\(Self.suggestion(for: path))")
            }
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        guard case .string(let text) = value else {
            if case .number(let number) = value { return "the number \(number)" }
            return value.typeName
        }
        return "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 60))\""
    }

    /// The known key that a person probably meant.
    private static func suggestion(for path: String) -> String {
        let key = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let near = Setting.all.first { setting in
            let name = setting.path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            return name == key || (key.count > 2 && (name.hasPrefix(key) || key.hasPrefix(name)))
        }
        return near.map { "; did you mean \($0.path)?" } ?? "; known are \(Setting.all.map(\.path).joined(separator: ", "))"
    }

    // MARK: The environment and flags

    /// Lays the variables of the environment over the present settings. An empty variable counts as absent.
    public mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        for setting in Setting.all {
            guard let variable = setting.variable, let text = environment[variable], !text.isEmpty else { continue }
            try apply(setting, text: text, origin: variable)
        }
    }

    /// Lays one setting, as text from a flag, over the present ones.
    public mutating func apply(flag: String, path: String, text: String) throws(ConfigurationError) {
        guard let setting = Setting.all.first(where: { $0.path == path }) else { return }
        try apply(setting, text: text, origin: flag)
    }

    private mutating func apply(_ setting: Setting, text: String, origin: String) throws(ConfigurationError) {
        // Text that reads as a number or a boolean is tried as such first, then as text.
        let scalar = JSONValue(parsing: Data(text.utf8))
        if let scalar, setting.apply(scalar, &self) { return }
        guard setting.apply(.string(text), &self) else {
            throw ConfigurationError(origin: origin, "expected \(setting.expected), found \(Self.shown(.string(text)))")
        }
    }

    // MARK: The whole

    /// Checks what no single setting can know.
    public func validate(origin: String) throws(ConfigurationError) {
        guard minimumInterval <= maximumInterval else {
            throw ConfigurationError(
                origin: origin,
                "status.minimumInterval: expected at most status.maximumInterval (\(maximumInterval.inSeconds)), found \(minimumInterval.inSeconds)"
            )
        }
        try checkTransport(origin: origin)
        try checkTrust(origin: origin)
    }
}
