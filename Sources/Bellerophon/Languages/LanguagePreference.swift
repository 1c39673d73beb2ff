import Foundation

/// The languages that a person reads, the most wanted one first.
///
/// It chooses the words of views and notices, and the messages of statuses: those for the first language that has a text, in its
/// full or a shorter form (lookup of RFC 4647, section 3.4). Without such a text the default applies: English for the words
/// of the package, and `userMessage` or `message` for what a status says.
public struct LanguagePreference: Equatable, Sendable {
    /// The language tags (BCP 47), such as `de-AT` or `zh-Hant-TW`.
    public let tags: [String]

    /// Creates a preference from language tags or names of locales, such as `de-AT`, `pt_BR.UTF-8` or `sr_RS@latin`.
    ///
    /// Texts that are neither are left out, and so are the locales `C` and `POSIX`.
    public init(_ names: [String]) {
        var tags: [String] = []
        for tag in names.compactMap({ Self.tag($0) }) where !tags.contains(tag) { tags.append(tag) }
        self.tags = tags
    }

    /// The preference of a person's environment: `LANGUAGE`, a list with colons, which does not count in the locale `C`; else the
    /// first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty.
    public init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let own = LanguagePreference(locale.map { [$0] } ?? [])
        let wanted = LanguagePreference((environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init))
        self = own.tags.isEmpty || wanted.tags.isEmpty ? own : wanted
    }

    /// Creates the preference that a person has written: one or more language tags with commas between them.
    /// - Returns: nil if one of them is no language tag.
    package init?(list: String) {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        guard names.allSatisfy({ Self.tag($0) != nil }) else { return nil }
        self.init(names)
    }

    /// The preference of the environment of this process.
    public static var current: LanguagePreference { LanguagePreference(environment: ProcessInfo.processInfo.environment) }

    /// The value for the most wanted language; nil if there is none for any of them.
    /// - Parameter values: values by language tag. Upper and lower case letters are the same.
    package func choose<Value>(from values: [String: Value]) -> Value? {
        guard !values.isEmpty, !tags.isEmpty else { return nil }
        // The order of the names decides between two that mean the same.
        var known: [String: Value] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            known[(Self.tag(name, completes: false) ?? name).lowercased()] = value
        }
        return tags.lazy.compactMap { Self.lookUp($0, in: known) }.first
    }

    /// The text for the most wanted language, or the default.
    package func text(_ fallback: String?, or texts: [String: String]) -> String? { choose(from: texts) ?? fallback }

    private static func lookUp<Value>(_ tag: String, in known: [String: Value]) -> Value? {
        var parts = tag.lowercased().split(separator: "-")
        while !parts.isEmpty {
            if let value = known[parts.joined(separator: "-")] { return value }
            parts.removeLast()
            // A single letter or digit begins an extension, and means nothing at the end.
            while let last = parts.last, last.utf8.count == 1 { parts.removeLast() }
        }
        return nil
    }
}

// MARK: - Names of locales

extension LanguagePreference {
    /// The language tag of a name: `de_AT.UTF-8` is `de-AT`, `sr_RS@latin` is `sr-Latn-RS`, `zh_TW` is `zh-Hant-TW`, `iw` is `he`.
    ///
    /// nil for the locales `C` and `POSIX` and for a text that is no name of a language.
    /// - Parameter completes: whether `zh` alone is taken as `zh-Hans`, which most of its readers mean.
    static func tag(_ name: String, completes: Bool = true) -> String? {
        let modified = name.split(separator: "@", omittingEmptySubsequences: false)
        let plain = (modified.first ?? "").split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        var parts = plain.replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard let language = parts.first?.lowercased(), isLanguage(language), language != "posix",
            parts.dropFirst().allSatisfy(isSubtag), plain.utf8.count <= 35
        else { return nil }
        parts[0] = formerNames[language] ?? language
        let hasScript = parts.count > 1 && parts[1].utf8.count == 4 && parts[1].first?.isLetter == true
        if hasScript {
            parts[1] = parts[1].prefix(1).uppercased() + parts[1].dropFirst().lowercased()
        } else if let script = script(parts, modifier: modified.count > 1 ? modified[1] : "", completes: completes) {
            parts.insert(script, at: 1)
        }
        return parts.enumerated().map { $0 > 0 && $1.utf8.count == 2 ? $1.uppercased() : $1 }.joined(separator: "-")
    }

    private static let formerNames = ["iw": "he", "in": "id", "ji": "yi"]

    /// The script that a name means without having it as a part.
    private static func script(_ parts: [String], modifier: Substring, completes: Bool) -> String? {
        switch modifier.lowercased() {
        case "latin": return "Latn"
        case "cyrillic": return "Cyrl"
        default: break
        }
        guard parts[0] == "zh" else { return nil }
        switch parts.count > 1 ? parts[1].uppercased() : nil {
        case "TW", "HK", "MO": return "Hant"
        case "CN", "SG": return "Hans"
        case nil: return completes ? "Hans" : nil
        default: return nil
        }
    }

    private static func isLanguage(_ text: String) -> Bool {
        (2...8).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func isSubtag(_ text: String) -> Bool {
        (1...8).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) }
    }
}
