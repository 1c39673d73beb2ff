/// One setting of a program: its path in the file, its variable, its valid values, and how it is stored.
///
/// A program's list of settings is the single definition: the readers of the file, the environment and flags, the help, and
/// the tests of the example file all use it.
package struct Setting<Configuration>: Sendable {
    /// The path in the file: `status.interval`.
    package let path: String
    /// The environment variable; nil if the setting has none.
    package private(set) var variable: String?
    /// The command line's flag; nil if the setting has none.
    package private(set) var flag: String?
    /// The valid values, in the words of an error message: "a number of seconds above 0".
    package private(set) var expected: String
    /// The valid values of a flag or a variable, which are text, if ``expected`` names other types of JSON.
    private var expectedText: String?
    /// The value without any setting, as a person writes it; nil if there is none.
    package private(set) var defaultText: String?
    /// What to do instead of giving an empty value, if an empty value is more likely a mistake than a wish. An empty variable
    /// is then an error; for all other settings it counts as absent.
    package private(set) var adviceOnEmpty: String?
    /// Whether the value may contain a secret, such as a password in an address. Errors then don't repeat it.
    package private(set) var mayHaveSecret = false
    /// Whether the value is a number of seconds, which a flag or a variable may also give with units.
    package private(set) var isDuration = false
    /// The names that are valid values; empty for a setting with other values.
    package private(set) var choices: [String] = []
    /// The setting's effect, in one sentence.
    package let help: String
    /// Stores a value in the configuration; returns false and changes nothing if the value is invalid.
    package private(set) var apply: @Sendable (JSONValue, inout Configuration) -> Bool
    /// Stores an object or an array that has rules of its own, and returns its problems; nil for a setting with a simple value.
    package private(set) var applyNode: NodeSetter?

    /// Stores a node and returns its problems; returns nil and changes nothing if the node has another type.
    package typealias NodeSetter = @Sendable (JSONNode, inout Configuration) -> [SettingProblem]?

    package init(
        _ path: String, _ variable: String?, expected: String, _ help: String,
        apply: @escaping @Sendable (JSONValue, inout Configuration) -> Bool
    ) {
        self.path = path
        self.variable = variable
        self.expected = expected
        self.help = help
        self.apply = apply
    }

    /// A setting whose value is read before it is stored.
    /// - Parameter read: the value of valid JSON; nil for any other.
    package init<Value>(
        _ path: String, _ variable: String?, expected: String, _ help: String,
        reading read: @escaping @Sendable (JSONValue) -> Value?, _ set: @escaping Setter<Value>
    ) {
        self.init(path, variable, expected: expected, help) { value, configuration in
            guard let value = read(value) else { return false }
            set(&configuration, value)
            return true
        }
    }

    /// A setting for an object with rules of its own. It has no variable and no flag.
    package static func object(
        _ path: String, expected: String, _ help: String,
        applyObject: @escaping @Sendable ([JSONMember], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        Setting(path, nil, expected: expected, help) { _, _ in false }.readingObject(applyObject)
    }

    /// A setting for an array with rules of its own. It has no variable and no flag.
    package static func array(
        _ path: String, expected: String, _ help: String,
        applyArray: @escaping @Sendable ([JSONNode], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        Setting(path, nil, expected: expected, help) { _, _ in false }.with(\.applyNode) { node, configuration in
            guard case .array(let items) = node.value else { return nil }
            return applyArray(items, &configuration)
        }
    }

    /// The same setting with rules of its own for an object in the file, which name what is wrong in it.
    package func readingObject(
        _ applyObject: @escaping @Sendable ([JSONMember], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        with(\.applyNode) { node, configuration in
            guard case .object(let members) = node.value else { return nil }
            return applyObject(members, &configuration)
        }
    }

    /// The valid values in a flag or a variable.
    package var expectedOfText: String { expectedText ?? expected }

    /// The same setting with words for the valid values of a flag or a variable.
    package func expectingText(_ text: String) -> Setting { with(\.expectedText, text) }

    /// The same setting, with an empty value as an error.
    /// - Parameter advice: what to do instead, as the end of a sentence.
    package func refusingEmpty(_ advice: String) -> Setting { with(\.adviceOnEmpty, advice) }

    /// The same setting, with a value that errors don't repeat.
    package var withSecret: Setting { with(\.mayHaveSecret, true) }

    /// The same setting with its default.
    package func withDefault(_ text: String) -> Setting { with(\.defaultText, text) }

    /// The same setting with another variable.
    package func withVariable(_ variable: String) -> Setting { with(\.variable, variable) }

    /// The same setting with a flag of the command line.
    package func withFlag(_ flag: String) -> Setting { with(\.flag, flag) }

    private func with<Value>(_ property: WritableKeyPath<Setting, Value>, _ value: Value) -> Setting {
        var setting = self
        setting[keyPath: property] = value
        return setting
    }
}

/// Something invalid in an object of the file.
package struct SettingProblem: Equatable, Sendable {
    /// The names that lead to it, with dots between them.
    let path: String
    package let position: JSONPosition
    /// What is wrong and what was expected.
    package let text: String

    package init(_ names: String..., at position: JSONPosition, _ text: String) {
        path = names.filter { !$0.isEmpty }.joined(separator: ".")
        (self.position, self.text) = (position, text)
    }

    /// The same problem, one level deeper in the file.
    package func below(_ name: String) -> SettingProblem { SettingProblem(name, path, at: position, text) }

    var line: String { "line \(position.line): \(path): \(text)" }
}

// MARK: Kinds of settings

extension Setting {
    package typealias Setter<Value> = @Sendable (inout Configuration, Value) -> Void

    /// A setting for one line of visible text.
    package static func text(
        _ path: String, _ variable: String?, expected: String = "text that is not empty, on one line", _ help: String,
        where isFit: @escaping @Sendable (String) -> Bool = { _ in true }, _ set: @escaping Setter<String>
    ) -> Setting {
        Setting(
            path, variable, expected: expected, help, reading: { $0.string.flatMap { isLine($0) && isFit($0) ? $0 : nil } }, set)
    }

    package static func flag(_ path: String, _ variable: String?, _ help: String, _ set: @escaping Setter<Bool>) -> Setting {
        Setting(
            path, variable, expected: "true or false", help,
            reading: { if case .bool(let flag) = $0 { flag } else { nil } }, set)
    }

    package static func number(
        _ path: String, _ variable: String?, _ range: ClosedRange<Int64>, _ help: String, _ set: @escaping Setter<Int64>
    ) -> Setting {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Setting(
            path, variable, expected: expected, help,
            reading: { $0.number.flatMap(Int64.init(exactly:)).flatMap { range.contains($0) ? $0 : nil } }, set)
    }

    package static func seconds(
        _ path: String, _ variable: String?, _ range: ClosedRange<Double>, _ help: String, _ set: @escaping Setter<Duration>
    ) -> Setting {
        let expected = "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
        return Setting(
            path, variable, expected: expected, help,
            reading: { $0.number.flatMap { range.contains($0) ? .seconds($0) : nil } }, set
        )
        .with(\.isDuration, true).expectingText("\(expected), or a time such as 90s, 5m or 1h30m")
    }

    /// The same setting, which also accepts null.
    /// - Parameter meaning: the meaning of null, as the end of a sentence in an error message.
    package func orNull(_ meaning: String = "", _ clear: @escaping @Sendable (inout Configuration) -> Void) -> Setting {
        let apply = apply
        return with(\.expected, expected + ", or null" + (meaning.isEmpty ? "" : " \(meaning)")).expectingText(expectedOfText)
            .with(\.apply) { value, configuration in
                guard value == .null else { return apply(value, &configuration) }
                clear(&configuration)
                return true
            }
    }

    /// A setting with the cases of a type, by their raw values.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String, _ variable: String?, _ help: String, _ set: @escaping Setter<Choice>
    ) -> Setting where Choice.RawValue == String {
        let choices = Choice.allCases.map(\.rawValue)
        let expected = "one of " + choices.map { "\"\($0)\"" }.joined(separator: ", ")
        return Setting(path, variable, expected: expected, help, reading: { $0.string.flatMap(Choice.init(rawValue:)) }, set)
            .with(\.choices, choices)
    }

    private static func isLine(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace } && !text.unicodeScalars.contains(where: \.isInvisible)
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
