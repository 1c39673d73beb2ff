package import Bellerophon

extension LocalizedText: ExpressibleByStringLiteral {
    /// A text to compare with in English, or one from outside.
    package init(stringLiteral text: String) { self = .foreign(text) }
}
