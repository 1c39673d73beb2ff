import BellerophonBase

/// The script that stands in front of a program and starts it under the guard.
///
/// The whole text follows from the three values and the version of the format. A text that differs in one character was not
/// written by this program, or has been edited.
package struct GuardWrapper: Equatable, Sendable {
    package let profile: GuardProfileName
    package let program: AbsolutePath
    /// The executable `bellerophon`.
    package let bellerophon: AbsolutePath

    /// The version of the format that is written. Texts of every version up to it are recognized.
    package static let format = 1
    /// The maximum size of a wrapper in bytes: two paths twice, in which every character needs four bytes in quotes.
    static let sizeLimit = 80_000

    /// The text of the script.
    package var text: String {
        let body = body
        return "#!/bin/sh\n\(Self.markStart) \(Self.format), profile \(profile), checksum \(body.fingerprint)\n\(body)"
    }

    private var body: String {
        let (guarded, command) = (Self.quoted(program.text), Self.quoted(bellerophon.text))
        return """
            # Written by: bellerophon guard install \(profile)
            # Removed by: bellerophon guard uninstall \(profile)
            # If bellerophon was removed, the program runs without the guard.
            [ -x \(command) ] || exec \(guarded) "$@"
            exec \(command) \(Self.arguments)'\(profile)' -- \(guarded) "$@"

            """
    }

    private static let markStart = "# bellerophon guard wrapper, format"
    private static let arguments = "guard --profile "

    /// A text in single quotes of the POSIX shell. It works on bytes: for a string, a quote with a combining mark after it is
    /// another character.
    private static func quoted(_ text: String) -> String {
        let parts = text.utf8.split(separator: quote, omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    private static let quote = UInt8(ascii: "'")
}

// MARK: Recognition

extension GuardWrapper {
    /// What the second line of a wrapper says.
    struct Mark: Equatable, Sendable {
        /// Larger than ``GuardWrapper/format`` if a newer version has written the wrapper.
        let format: Int
        let profile: GuardProfileName
    }

    /// The mark of a text that starts like a wrapper; nil for any other text.
    static func mark(in text: some StringProtocol) -> Mark? {
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count > 1, lines[0] == "#!/bin/sh", lines[1].hasPrefix(markStart + " ") else { return nil }
        let fields = lines[1].dropFirst(markStart.count + 1).split(separator: ", ", omittingEmptySubsequences: false)
        guard fields.count == 3, let format = Int(fields[0]), fields[1].hasPrefix("profile "),
            let profile = GuardProfileName(String(fields[1].dropFirst("profile ".count)))
        else { return nil }
        return Mark(format: format, profile: profile)
    }

    /// Recognizes a text that this program has written, and that was not edited since.
    package init?(parsing text: String) {
        guard let mark = Self.mark(in: text), mark.format == Self.format,
            let last = text.utf8.split(separator: UInt8(ascii: "\n")).last
        else { return nil }
        var rest = last[...]
        guard Self.consume("exec ", from: &rest), let bellerophon = Self.consumeQuoted(from: &rest).flatMap(AbsolutePath.init),
            Self.consume(" \(Self.arguments)'\(mark.profile)' -- ", from: &rest),
            let program = Self.consumeQuoted(from: &rest).flatMap(AbsolutePath.init)
        else { return nil }
        self.init(profile: mark.profile, program: program, bellerophon: bellerophon)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    private static func consume(_ text: String, from line: inout Substring.UTF8View) -> Bool {
        guard line.starts(with: text.utf8) else { return false }
        line = line.dropFirst(text.utf8.count)
        return true
    }

    /// Takes a text in single quotes from the start of a line.
    private static func consumeQuoted(from line: inout Substring.UTF8View) -> String? {
        guard consume("'", from: &line) else { return nil }
        var text = ""
        while let end = line.firstIndex(of: quote) {
            text += String(Substring(line[..<end]))
            line = line[end...].dropFirst()
            guard consume(#"\''"#, from: &line) else { return text }
            text += "'"
        }
        return nil
    }
}
