import StatusModel

/// The version of a program as other programs say it, in the form that rules compare: one to four numbers, with a prerelease and a
/// build.
package enum ProgramVersion {
    /// The first version in what a program prints about itself: `16.3` in `psql (PostgreSQL) 16.3 (Debian 16.3-1)`.
    ///
    /// A version has two to four numbers with dots between them, and may begin with `v`. What a package database adds is left out,
    /// as in ``ofPackage(_:)``; a text after a hyphen that begins with a letter is a prerelease. A version that follows a name
    /// directly (`jq-1.6`, `go1.21.3`) counts if there is no other.
    /// - Returns: nil if there is none.
    package static func first(in output: String) -> String? {
        let words = output.unicodeScalars.split { !isPart($0) }.map { word in String(word).trimmingEnd(of: ".:-~+_") }
        return words.lazy.compactMap(version).first ?? words.lazy.compactMap(versionAfterName).first
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
        if let hyphen = rest.lastIndex(of: "-"), rest[hyphen...].dropFirst().first?.isASCIIDigit == true {
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

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension String {
    fileprivate func trimmingEnd(of characters: String) -> String {
        var rest = self[...]
        while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
