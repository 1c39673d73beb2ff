import Bellerophon
import BellerophonBase
import TerminalUI

/// The rules of a fact that a person states about an app, such as `region=eu`.
enum AppFact {
    static let nameRule =
        "1 to \(nameLimit) letters (a-z, A-Z), digits, \".\", \"_\" and \"-\", the first one a letter"
    static let valueRule = "a value of at most \(valueLimit) bytes without control characters"
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

    /// Why a text is no `NAME=VALUE`; nil if it is. The value may be empty, and may contain `=`.
    static func problem(of text: String) -> String? {
        guard let (name, value) = parts(text) else { return "expected NAME=VALUE such as region=eu, found \(quoted(text))" }
        return problem(ofName: name).map { "\($0), found \(quoted(name))" }
            ?? problem(ofValue: value).map { "\(name): \($0), found \(quoted(value))" }
    }

    /// The facts of texts without a problem. Of several with the same name the last counts.
    static func facts(_ texts: [String]) -> [String: String] { Dictionary(texts.compactMap(parts)) { $1 } }

    private static func parts(_ text: String) -> (String, String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private static func quoted(_ text: String) -> String {
        "\"\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))\""
    }
}

extension Configuration {
    /// States facts over those of the file and the environment, which keep their other names.
    /// - Parameters:
    ///   - texts: each is `NAME=VALUE`.
    ///   - origin: the flag or the variable, for the error.
    package mutating func apply(facts texts: [String], origin: String) throws(ConfigurationError) {
        let problems = texts.compactMap(AppFact.problem(of:))
        guard problems.isEmpty else { throw ConfigurationError(origin: origin, problems: problems) }
        app.facts.merge(AppFact.facts(texts)) { $1 }
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
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            return words.allSatisfy { AppFact.problem(of: $0) == nil } ? AppFact.facts(words) : nil
        default: return nil
        }
    }
}
