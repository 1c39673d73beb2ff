/// One setting of a program: its path in the file, its variable, its valid values, and how it is stored.
///
/// A program's list of settings is the single definition: the readers of the file, the environment and flags, the help, and
/// the tests of the example file all use it.
package struct Setting<Configuration>: Sendable {
    /// The path in the file: `status.interval`.
    package let path: String
    /// The environment variable; nil if the setting has none.
    package let variable: String?
    /// The command line's flag; nil if the setting has none.
    package private(set) var flag: String?
    /// The valid values, in the words of an error message: "a number of seconds above 0".
    package let expected: String
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
    package let apply: @Sendable (JSONValue, inout Configuration) -> Bool
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

    /// A setting for an object with rules of its own. It has no variable and no flag.
    package static func object(
        _ path: String, expected: String, _ help: String,
        applyObject: @escaping @Sendable ([JSONMember], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        .node(path, expected: expected, help) { node, configuration in
            guard case .object(let members) = node.value else { return nil }
            return applyObject(members, &configuration)
        }
    }

    /// A setting for an array with rules of its own. It has no variable and no flag.
    package static func array(
        _ path: String, expected: String, _ help: String,
        applyArray: @escaping @Sendable ([JSONNode], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        .node(path, expected: expected, help) { node, configuration in
            guard case .array(let items) = node.value else { return nil }
            return applyArray(items, &configuration)
        }
    }

    private static func node(_ path: String, expected: String, _ help: String, apply: @escaping NodeSetter) -> Setting {
        var setting = Setting(path, nil, expected: expected, help) { _, _ in false }
        setting.applyNode = apply
        return setting
    }

    /// The same setting with rules of its own for an object in the file, which name what is wrong in it.
    package func readingObject(
        _ applyObject: @escaping @Sendable ([JSONMember], inout Configuration) -> [SettingProblem]
    ) -> Setting {
        var setting = self
        setting.applyNode = { node, configuration in
            guard case .object(let members) = node.value else { return nil }
            return applyObject(members, &configuration)
        }
        return setting
    }

    /// The valid values in a flag or a variable.
    package var expectedOfText: String { expectedText ?? expected }

    /// The same setting with words for the valid values of a flag or a variable.
    package func expectingText(_ text: String) -> Setting {
        var setting = self
        setting.expectedText = text
        return setting
    }

    /// The same setting, with an empty value as an error.
    /// - Parameter advice: what to do instead, as the end of a sentence.
    package func refusingEmpty(_ advice: String) -> Setting {
        var setting = self
        setting.adviceOnEmpty = advice
        return setting
    }

    /// The same setting, with a value that errors don't repeat.
    package var withSecret: Setting {
        var setting = self
        setting.mayHaveSecret = true
        return setting
    }

    /// The same setting with its default.
    package func withDefault(_ text: String?) -> Setting {
        var setting = self
        setting.defaultText = text
        return setting
    }

    /// The same setting with another variable.
    package func withVariable(_ variable: String?) -> Setting {
        var setting = Setting(path, variable, expected: expected, help, apply: apply)
        (setting.applyNode, setting.expectedText, setting.defaultText) = (applyNode, expectedText, defaultText)
        (setting.adviceOnEmpty, setting.mayHaveSecret) = (adviceOnEmpty, mayHaveSecret)
        (setting.isDuration, setting.choices) = (isDuration, choices)
        return setting
    }

    /// The same setting with a flag of the command line.
    package func withFlag(_ flag: String) -> Setting {
        var setting = self
        setting.flag = flag
        return setting
    }
}

/// Something invalid in an object of the file.
package struct SettingProblem: Equatable, Sendable {
    /// The names that lead to it, below the setting.
    package let names: [String]
    package let position: JSONPosition
    /// What is wrong and what was expected.
    package let text: String

    package init(_ names: String..., at position: JSONPosition, _ text: String) {
        self.init(names, at: position, text)
    }

    private init(_ names: [String], at position: JSONPosition, _ text: String) {
        self.names = names
        self.position = position
        self.text = text
    }

    /// The same problem, one level deeper in the file.
    package func below(_ name: String) -> SettingProblem { SettingProblem([name] + names, at: position, text) }
}

// MARK: Kinds of settings

extension Setting {
    package typealias Setter<Value> = @Sendable (inout Configuration, Value) -> Void

    /// A setting for one line of visible text.
    package static func text(
        _ path: String, _ variable: String?, expected: String = "text that is not empty, on one line", _ help: String,
        where isFit: @escaping @Sendable (String) -> Bool = { _ in true }, _ set: @escaping Setter<String>
    ) -> Setting {
        Setting(path, variable, expected: expected, help) { value, configuration in
            guard case .string(let text) = value, isLine(text), isFit(text) else { return false }
            set(&configuration, text)
            return true
        }
    }

    package static func flag(_ path: String, _ variable: String?, _ help: String, _ set: @escaping Setter<Bool>) -> Setting {
        Setting(path, variable, expected: "true or false", help) { value, configuration in
            guard case .bool(let flag) = value else { return false }
            set(&configuration, flag)
            return true
        }
    }

    package static func number(
        _ path: String, _ variable: String?, _ range: ClosedRange<Int64>, _ help: String, _ set: @escaping Setter<Int64>
    ) -> Setting {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Setting(path, variable, expected: expected, help) { value, configuration in
            guard case .number(let number) = value, let whole = Int64(exactly: number), range.contains(whole) else {
                return false
            }
            set(&configuration, whole)
            return true
        }
    }

    package static func seconds(
        _ path: String, _ variable: String?, _ range: ClosedRange<Double>, _ help: String, _ set: @escaping Setter<Duration>
    ) -> Setting {
        let expected = "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
        var setting = Setting(path, variable, expected: expected, help) { value, configuration in
            guard case .number(let seconds) = value, range.contains(seconds) else { return false }
            set(&configuration, .seconds(seconds))
            return true
        }
        setting.isDuration = true
        return setting.expectingText("\(expected), or a time such as 90s, 5m or 1h30m")
    }

    /// A setting that also accepts null.
    /// - Parameter meaning: the meaning of null, as the end of a sentence in an error message.
    package static func orNull(
        _ setting: Setting, _ meaning: String = "", _ clear: @escaping @Sendable (inout Configuration) -> Void
    ) -> Setting {
        let expected = setting.expected + ", or null" + (meaning.isEmpty ? "" : " \(meaning)")
        var orNull = Setting(setting.path, setting.variable, expected: expected, setting.help) { value, configuration in
            guard value == .null else { return setting.apply(value, &configuration) }
            clear(&configuration)
            return true
        }
        (orNull.isDuration, orNull.choices) = (setting.isDuration, setting.choices)
        return orNull.expectingText(setting.expectedOfText)
    }

    /// A setting with the cases of a type, by their raw values.
    package static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ path: String, _ variable: String?, _ help: String, _ set: @escaping Setter<Choice>
    ) -> Setting where Choice.RawValue == String {
        let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
        let choices = Dictionary(uniqueKeysWithValues: Choice.allCases.map { ($0.rawValue, $0) })
        let expected = "one of " + names.joined(separator: ", ")
        var setting = Setting(path, variable, expected: expected, help) { value, configuration in
            guard case .string(let text) = value, let choice = choices[text] else { return false }
            set(&configuration, choice)
            return true
        }
        setting.choices = Choice.allCases.map(\.rawValue)
        return setting
    }

    private static func isLine(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace } && !text.unicodeScalars.contains(where: \.isInvisible)
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
