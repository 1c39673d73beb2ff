import Foundation

/// A part of a document that is generated, between two lines that mark it.
package enum DocumentPart {
    /// Compares a part with the generated text, or writes it with `RECORD_TABLES=1`.
    /// - Parameters:
    ///   - begin: the line before the part, with its end.
    ///   - end: the line after it.
    /// - Returns: the problem; nil if the part is correct.
    package static func problem(
        _ name: String, _ part: String, in document: URL, from begin: String, to end: String
    ) throws -> String? {
        let text = try String(contentsOf: document, encoding: .utf8)
        guard let start = text.range(of: begin)?.upperBound,
            let stop = text.range(of: end, range: start..<text.endIndex)?.lowerBound
        else { return "\(document.lastPathComponent) has no place for \(name)" }
        if text[start..<stop] == part { return nil }
        guard ProcessInfo.processInfo.environment["RECORD_TABLES"] == "1" else {
            return "\(name) in \(document.lastPathComponent) is not up to date; RECORD_TABLES=1 writes it\n"
                + goldenDifference(expected: String(text[start..<stop]), actual: part)
        }
        try Data((text[..<start] + part + text[stop...]).utf8).write(to: document)
        return nil
    }
}
