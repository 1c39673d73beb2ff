import Foundation
import SafeText

/// An optional field of a status document: its names, its limits and its words.
///
/// Everything that reads, keeps, publishes, prints or shows optional fields iterates ``allCases``, in this order. A field that
/// is added here is in all of these places.
package enum StatusField: String, CaseIterable, Sendable {
    // The raw values are the names in what programs print and keep.
    case message, requiredVersion, link

    /// What a value may be.
    package enum Form: Equatable, Sendable {
        /// Several lines of text, with a limit in bytes of UTF-8.
        case paragraphs(limit: Int)
        /// A line of text, with a limit in bytes of UTF-8.
        case line(limit: Int)
        /// An address that is safe to show and to open.
        case webAddress
    }

    /// Who needs the value.
    package enum Level: Sendable {
        /// A person who is to know nothing else. It has a place of its own in every presentation.
        case headline
        /// A person who asks for more.
        case detail
    }

    /// A table in which facts have labels.
    package enum Table: Sendable {
        case details, check, server
    }

    /// The name in the status document.
    package var documentName: String {
        switch self {
        case .message: "userMessage"
        case .requiredVersion: rawValue
        case .link: "updateURL"
        }
    }

    /// The name in the server's API.
    package var publishedName: String { self == .message ? rawValue : documentName }

    package var form: Form {
        switch self {
        case .message: .paragraphs(limit: TextSanitizer.byteLimit)
        case .requiredVersion: .line(limit: 64)
        case .link: .webAddress
        }
    }

    package var level: Level { self == .message ? .headline : .detail }

    /// Whether the value says something only of an update.
    var belongsToUpdate: Bool { self != .message }

    /// The label of the value.
    package func label(in table: Table) -> String {
        switch (self, table) {
        case (.message, _): "message"
        case (.requiredVersion, .details): "required"
        case (.requiredVersion, .check): "requires"
        case (.requiredVersion, .server): "version"
        case (.link, .server): "get it"
        case (.link, _): "link"
        }
    }

    /// The value as it may be kept and shown; nil if nothing of it is left.
    func cleaned(_ text: String) -> String? {
        let clean: String
        switch form {
        case .paragraphs(let limit): clean = TextSanitizer.sanitize(text, keepingNewlines: true, limit: limit)
        case .line(let limit):
            // The white space of JSON around the line does not count. A line that can't be shown as it is written has no value: without
            // a character that can't be seen it could be another version.
            let line = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n"))
            clean = TextSanitizer.sanitize(line, keepingNewlines: false, limit: limit)
            return clean.isEmpty || !clean.utf8.elementsEqual(line.utf8) ? nil : clean
        case .webAddress: return StatusDocument.webAddress(text)
        }
        let trimmed = clean.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// A value of an optional field, and what is said of it.
package struct StatusFact: Equatable, Sendable {
    package let field: StatusField
    /// The value, for scripts.
    package let value: String

    /// The value in words: `1.5.2 or later`.
    package var text: String { field == .requiredVersion ? "\(value) or later" : value }

    /// The value in words for an app: without `or later` for a version that is older than the installed one.
    /// - Parameter installed: the installed version; nil if it is not known.
    package func text(installed: String?) -> String { isOlder(than: installed) ? value : text }

    /// Whether the value is a version that is older than the installed one, so that the app must go back to it. False if one of
    /// the two can't be compared.
    /// - Parameter installed: the installed version; nil if it is not known.
    package func isOlder(than installed: String?) -> Bool {
        guard field == .requiredVersion, let to = AppVersion(value), let installed = installed.flatMap(AppVersion.init) else {
            return false
        }
        return to < installed
    }
}

/// What a status says beside its flags and its interval: the values of its optional fields.
package struct StatusFacts: Equatable, Sendable {
    private var values: [StatusField: String] = [:]

    package init(_ values: [StatusField: String?] = [:]) {
        self.values = values.compactMapValues(\.self)
    }

    package subscript(field: StatusField) -> String? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// The fact of a field; nil if the field is absent.
    package func fact(_ field: StatusField) -> StatusFact? { values[field].map { StatusFact(field: field, value: $0) } }

    /// The version to go back to: the required one, if it is older than the installed one; else nil.
    /// - Parameter installed: the installed version; nil if it is not known.
    package func olderVersion(installed: String?) -> String? {
        fact(.requiredVersion).flatMap { $0.isOlder(than: installed) ? $0.value : nil }
    }

    /// The facts in the order of the fields.
    package var all: [StatusFact] { StatusField.allCases.compactMap(fact) }

    /// The facts of a level, in the order of the fields.
    package func all(_ level: StatusField.Level) -> [StatusFact] { all.filter { $0.field.level == level } }

    /// The facts that say something at a stage.
    package func limited(to stage: Stage) -> StatusFacts {
        StatusFacts(values.filter { stage == .updateRequired || !$0.key.belongsToUpdate })
    }

    /// The values as they may be kept and shown.
    var cleaned: StatusFacts {
        var facts = StatusFacts()
        for fact in all { facts[fact.field] = fact.field.cleaned(fact.value) }
        return facts
    }
}

// MARK: In JSON

extension StatusFacts {
    /// Adds the values to the object that is encoded. Absent values are left out, except those of `always`, which are null.
    /// - Parameter name: the name of a field in the object.
    package func encode(
        to encoder: any Encoder, as name: (StatusField) -> String = \.rawValue, always: Set<StatusField> = []
    ) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        for field in StatusField.allCases where self[field] != nil || always.contains(field) {
            try members.encode(self[field], forKey: MemberName(stringValue: name(field)))
        }
    }

    /// Reads the values from the object that is decoded.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        for field in StatusField.allCases {
            self[field] = try members.decodeIfPresent(String.self, forKey: MemberName(stringValue: field.rawValue))
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
