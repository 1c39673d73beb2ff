/// The last lines of an output, as text without control sequences.
///
/// A line that is drawn again after a carriage return, as a progress bar is, counts as it was drawn last.
package struct OutputTail: Equatable, Sendable {
    /// The most bytes that are kept.
    package static let limit = 16_384

    private var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(Self.limit)
        if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
    }

    /// The last lines that are not empty, the oldest first.
    /// - Parameters:
    ///   - count: the most lines.
    ///   - limit: the most bytes of a line.
    package func lines(_ count: Int, limit: Int = 300) -> [String] {
        let text = String(decoding: bytes.suffix(Self.limit), as: UTF8.self)
            .replacing(/\u{1B}(?:\[[0-?]*[ -\/]*[@-~]|\][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)|[ -\/]*[0-~])/, with: "")
        let lines = text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).compactMap { line -> String? in
            let drawn = line.split(separator: "\r").last.map(String.init) ?? ""
            let trimmed = drawn.drop { $0 == " " }
            return trimmed.allSatisfy(\.isWhitespace)
                ? nil : String(String.UnicodeScalarView(trimmed.unicodeScalars.prefix(limit)))
        }
        return lines.suffix(count)
    }
}
