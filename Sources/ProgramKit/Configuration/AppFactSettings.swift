import Bellerophon
import BellerophonBase
import TerminalUI

/// One fact that a person states about an app, such as `region=eu`.
package struct AppFact: Equatable, Sendable {
    package let name: String
    package let value: String

    package static let nameRule =
        "1 to \(nameLimit) letters (a-z, A-Z), digits, \".\", \"_\" and \"-\", the first one a letter"
    package static let valueRule = "a value of at most \(valueLimit) bytes without control characters"
    private static let nameLimit = 64
    private static let valueLimit = 256

    /// Why a text is no name of a fact; nil if it is one.
    static func problem(ofName name: String) -> String? {
        let isName = name.utf8.count <= nameLimit && name.wholeMatch(of: /[A-Za-z][A-Za-z0-9._\-]*/) != nil
        return isName ? nil : "expected a name of \(nameRule)"
    }

    /// Why a text can't be the value of a fact; nil if it can.
    static func problem(ofValue value: String) -> String? {
        let isValue =
            value.utf8.count <= valueLimit && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return isValue ? nil : "expected \(valueRule)"
    }

    /// Reads `NAME=VALUE`. The value may be empty, and may contain `=`.
    /// - Parameter origin: the flag or the variable, for the error.
    package init(_ text: String, origin: String) throws(ConfigurationError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw ConfigurationError(origin: origin, "expected NAME=VALUE such as region=eu, found \(Self.quoted(text))")
        }
        if let problem = Self.problem(ofName: parts[0]) {
            throw ConfigurationError(origin: origin, "\(problem), found \(Self.quoted(parts[0]))")
        }
        if let problem = Self.problem(ofValue: parts[1]) {
            throw ConfigurationError(origin: origin, "\(parts[0]): \(problem), found \(Self.quoted(parts[1]))")
        }
        (name, value) = (parts[0], parts[1])
    }

    private static func quoted(_ text: String) -> String {
        "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))\""
    }
}

extension Configuration {
    /// States facts over those of the file and the environment, which keep their other names.
    /// - Parameter texts: each is `NAME=VALUE`.
    package mutating func apply(facts texts: [String], origin: String) throws(ConfigurationError) {
        var problems: [String] = []
        for text in texts {
            do throws(ConfigurationError) {
                let fact = try AppFact(text, origin: origin)
                app.facts[fact.name] = fact.value
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(origin: origin, problems: problems) }
    }

    static let factsSetting = Setting<Configuration>(
        "app.facts", "BELLEROPHON_FACTS",
        expected: "an object of texts by name; a name has \(AppFact.nameRule), a value at most 256 bytes",
        "what rules of a status may ask, such as region; the names os, osVersion, arch, ci, terminal and source replace what is found out",
        reading: facts
    ) { $0.app.facts = $1 }
    .expectingText("facts such as region=eu, with spaces between them").withFlag("--fact")
    .readingObject { members, configuration in
        var problems: [SettingProblem] = []
        var facts: [String: String] = [:]
        for member in members {
            let text = member.node.string
            let problem =
                AppFact.problem(ofName: member.name)
                ?? (text.map(AppFact.problem(ofValue:)) ?? "expected text, found \(member.node.typeName)")
            if let problem { problems.append(SettingProblem(member.name, at: member.position, problem)) }
            facts[member.name] = text
        }
        configuration.app.facts = facts
        return problems
    }

    /// The texts of an object, or the words of a text, each NAME=VALUE; nil if one is none.
    @Sendable private static func facts(_ value: JSONValue) -> [String: String]? {
        switch value {
        case .object(let members):
            let facts = members.compactMapValues(\.string)
            let areValid = facts.allSatisfy { AppFact.problem(ofName: $0) == nil && AppFact.problem(ofValue: $1) == nil }
            return areValid && facts.count == members.count ? facts : nil
        case .string(let text):
            let words = text.split(whereSeparator: \.isWhitespace)
            let facts = words.compactMap { try? AppFact(String($0), origin: "") }
            guard facts.count == words.count else { return nil }
            return Dictionary(facts.map { ($0.name, $0.value) }) { $1 }
        default: return nil
        }
    }
}
