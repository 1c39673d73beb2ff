import Foundation

/// Unicode's normal form C (Unicode Standard Annex 15).
enum NormalForm {
    /// The form, right for scalars above U+FFFF too.
    ///
    /// Foundation composes by the lowest 16 bits of a scalar (Swift 6.3.1): U+10077, a sign of Linear B, and a diaeresis
    /// become "ẅ", as if it were U+0077. Where the composed text does not come apart into what was composed, the graphemes
    /// that are wrong stay apart; nothing above U+FFFF that this happens to has a composition.
    static func c(_ text: String) -> String {
        let composed = text.precomposedStringWithCanonicalMapping
        guard text.unicodeScalars.contains(where: { $0.value > 0xFFFF }), !isForm(composed, of: text) else { return composed }
        var whole = ""
        for grapheme in text.map(String.init) {
            let composed = grapheme.precomposedStringWithCanonicalMapping
            whole += isForm(composed, of: grapheme) ? composed : grapheme.decomposedStringWithCanonicalMapping
        }
        return whole
    }

    private static func isForm(_ composed: String, of text: String) -> Bool {
        composed.decomposedStringWithCanonicalMapping.utf8.elementsEqual(text.decomposedStringWithCanonicalMapping.utf8)
    }
}
