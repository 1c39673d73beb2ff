/// A text that gets its words when it is shown, in the language of whoever reads it.
package indirect enum LocalizedText: Sendable {
    /// A phrase with the values of its parts in braces.
    case phrase(any KeyPath<OverlayPhrases, String> & Sendable, [String: LocalizedText] = [:])
    /// A text from outside, such as a name or a message of the system. It is the same in every language.
    case foreign(String)

    package func text(_ phrases: OverlayPhrases) -> String {
        switch self {
        case .phrase(let phrase, let values): phrases[keyPath: phrase].filling { values[$0]?.text(phrases) }
        case .foreign(let text): text
        }
    }

    /// The text in English, for everything that is English only.
    package var english: String { text(.english) }
}

extension LocalizedText: Equatable {
    /// Two texts are the same if they say the same.
    package static func == (one: LocalizedText, two: LocalizedText) -> Bool { one.english == two.english }
}

extension LocalizedText: CustomStringConvertible {
    package var description: String { english }
}
