import StatusModel

/// The version of a program as other programs say it, in the form that rules compare: one to four numbers, with a prerelease and a
/// build.
package enum ProgramVersion {
    /// The first version in what a program prints about itself: `16.3` in `psql (PostgreSQL) 16.3 (Debian 16.3-1)`.
    ///
    /// A version has two to four numbers with dots between them, and may begin with `v`. What a package database adds is left out,
    /// as in ``ofPackage(_:)``; a text after a hyphen that begins with a letter is a prerelease. A version that follows a name
    /// directly (`jq-1.6`, `go1.21.3`) counts if there is no other. Escape sequences of a terminal are left out. Nothing counts from
    /// the first number on that is beside a character that can't be seen, or that reads as a part of it (a space that cannot break,
    /// a digit of another script).
    /// - Returns: nil if there is none.
    package static func first(in output: String) -> String? {
        let scalars = Array(withoutEscapeSequences(output).unicodeScalars)
        let parts = scalars.indices.split { !isPart(scalars[$0]) }
        let clear = parts.prefix { part in
            let neighbors = [part.startIndex - 1, part.endIndex].filter(scalars.indices.contains)
            return !part.contains { scalars[$0].isASCIIDigit } || !neighbors.contains { isDoubtful(scalars[$0]) }
        }
        let words = clear.map { part in
            String(String.UnicodeScalarView(scalars[part.startIndex..<part.endIndex])).trimmingEnd(of: ".:-~+_")
        }
        return words.lazy.compactMap(version).first ?? words.lazy.compactMap(versionAfterName).first
    }

    /// A text without control sequences, control strings such as titles and links, and other escape sequences (ECMA-48).
    private static func withoutEscapeSequences(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\u{1B}" || (0x80...0x9F).contains($0.value) }) else { return text }
        let form =
            #/
            (?: \x{1B}\[ | \x{9B} ) [\x{20}-\x{3F}]* [\x{40}-\x{7E}]
            | (?: \x{1B}[\]PX^_] | [\x{9D}\x{90}\x{98}\x{9E}\x{9F}] ) [^\x{07}\x{1B}\x{9C}]* (?: \x{07} | \x{1B}\\ | \x{9C} )
            | \x{1B} [\x{20}-\x{2F}]* [\x{30}-\x{7E}]
            /#.matchingSemantics(.unicodeScalar)
        return text.replacing(form, with: "")
    }

    /// Whether a character beside a version makes it doubtful which version a person reads.
    private static func isDoubtful(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x09 || (0x0E..<0x20).contains(scalar.value) || scalar.value == 0x7F }
        if scalar == "\u{FFFD}" || scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .decimalNumber, .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return false
        }
    }

    /// A version of a package database without the epoch before `:` and the revision after the last hyphen. `~` begins a prerelease.
    /// - Returns: nil if what is left is no version that rules compare.
    package static func ofPackage(_ text: String) -> String? {
        var rest = withoutEpoch(text)
        if let hyphen = rest.lastIndex(of: "-") { rest = rest[..<hyphen] }
        return checked(tilde(rest))
    }

    /// A word of an output as a version with at least two numbers.
    private static func version(_ word: String) -> String? {
        var rest = withoutEpoch(word)
        if rest.hasPrefix("v") || rest.hasPrefix("V") { rest = rest.dropFirst() }
        if let hyphen = rest.lastIndex(of: "-"), rest[hyphen...].unicodeScalars.dropFirst().first?.isASCIIDigit == true {
            rest = rest[..<hyphen]
        }
        return checked(tilde(rest)).flatMap { $0.prefixMatch(of: /[0-9]+\.[0-9]/) == nil ? nil : $0 }
    }

    private static func versionAfterName(_ word: String) -> String? {
        word.prefixMatch(of: /[A-Za-z_\-]+/).flatMap { version(String(word[$0.range.upperBound...])) }
    }

    private static func withoutEpoch(_ text: String) -> Substring {
        text.prefixMatch(of: /[0-9]+:/).map { text[$0.range.upperBound...] } ?? text[...]
    }

    /// The first `~` begins a prerelease; later ones, and later `+`, can't stand there and become hyphens and dots.
    private static func tilde(_ text: Substring) -> String {
        let build = text.firstIndex(of: "+") ?? text.endIndex
        let number = text[..<build].replacing("~", with: "-")
        let rest = text[build...].dropFirst().replacing("~", with: "-").replacing("+", with: ".")
        return rest.isEmpty ? String(number) : "\(number)+\(rest)"
    }

    private static func checked(_ text: String) -> String? { AppVersion(text) == nil ? nil : text }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "+", "~", ":", "_", "-": true
        default: false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
    fileprivate func trimmingEnd(of characters: String) -> String {
        var rest = self[...]
        while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
