import Foundation

/// Unicode's normal form C (Unicode Standard Annex 15).
enum NormalForm {
    /// The text in normal form C, also for scalars above U+FFFF.
    ///
    /// Foundation (Swift 6.3.1) composes by the lowest 16 bits of a scalar: U+10077, a sign of Linear B, with a diaeresis
    /// becomes "ẅ", as if it were U+0077. If the composition of a grapheme with such a scalar does not decompose into the
    /// original, the grapheme stays decomposed. No scalar above U+FFFF that is affected has a composition.
    static func c(_ text: String) -> String {
        guard hasHighScalars(text) else { return text.precomposedStringWithCanonicalMapping }
        return text.map { composed(String($0)) }.joined()
    }

    private static func composed(_ grapheme: String) -> String {
        let composed = grapheme.precomposedStringWithCanonicalMapping
        guard hasHighScalars(grapheme), !isForm(composed, of: grapheme) else { return composed }
        return grapheme.decomposedStringWithCanonicalMapping
    }

    private static func hasHighScalars(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value > 0xFFFF }
    }

    private static func isForm(_ composed: String, of text: String) -> Bool {
        composed.decomposedStringWithCanonicalMapping.utf8.elementsEqual(text.decomposedStringWithCanonicalMapping.utf8)
    }
}
