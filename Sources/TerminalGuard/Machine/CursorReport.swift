/// A terminal's report of the cursor's position (`ESC [ row ; column R`).
struct CursorReport: Equatable, Sendable {
    /// Counted from zero.
    let column: Int
    let row: Int

    /// More bytes than this between the introducer and the final byte are not a report.
    static let longestBody = 11
}

extension CursorReport {
    /// - Parameter body: the bytes between the introducer and the final byte. nil if they are not two numbers from 1.
    init?(body: ArraySlice<UInt8>) {
        let numbers = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        guard body.count <= Self.longestBody, numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
        self.init(column: numbers[1] - 1, row: numbers[0] - 1)
    }
}

/// Takes the replies to the guard's own questions out of the bytes for the program: for the cursor's place, and for the mode of
/// the alternate screen before it.
///
/// A reply may be divided between chunks. What may be its beginning is held until the next bytes tell.
struct CursorReportFilter: Equatable, Sendable {
    private var held: [UInt8] = []
    /// What the terminal has said of the mode of the alternate screen: 1 set, 2 reset, 0 unknown; nil as long as it has not.
    private(set) var mode: Int?

    /// Whether only time can tell if what is held is whole: it may be Escape, or Alt with a bracket.
    var isAmbiguous: Bool { (1...2).contains(held.count) }

    /// Takes bytes for the program.
    /// - Returns: those that are certain not to belong to a report, up to the first report and, if there is one, behind it.
    mutating func filter(_ bytes: [UInt8]) -> (rest: [UInt8], report: CursorReport?) {
        var input = (held + bytes)[...], rest: [UInt8] = []
        held = []
        while let escape = input.firstIndex(of: 0x1B) {
            rest += input[..<escape]
            input = input[escape...]
            switch Self.match(input) {
            case .other: rest.append(input.removeFirst())
            case .beginning:
                held = Array(input)
                return (rest, nil)
            case .mode(let value, let end):
                mode = value
                input = input[end...]
            case .report(let report, let end): return (rest + input[end...], report)
            }
        }
        return (rest + input, nil)
    }

    /// Ends the wait for the rest of a report, and returns what was held.
    mutating func release() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private enum Match {
        case other, beginning, report(CursorReport, end: Int), mode(Int, end: Int)
    }

    /// What the bytes from an Escape on are.
    private static func match(_ bytes: ArraySlice<UInt8>) -> Match {
        let rest = bytes.dropFirst()
        guard let bracket = rest.first else { return .beginning }
        guard bracket == UInt8(ascii: "[") else { return .other }
        if let match = matchMode(bytes) { return match }
        let body = rest.dropFirst().prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
        if body.endIndex == bytes.endIndex { return body.count <= CursorReport.longestBody ? .beginning : .other }
        guard bytes[body.endIndex] == UInt8(ascii: "R"), let report = CursorReport(body: body) else { return .other }
        return .report(report, end: body.endIndex + 1)
    }

    private static let modeBegin = Array("\u{1B}[?1049;".utf8), modeEnd = Array("$y".utf8)

    /// Matches the report of the mode of the alternate screen; nil for anything else.
    private static func matchMode(_ bytes: ArraySlice<UInt8>) -> Match? {
        let begin = bytes.prefix(modeBegin.count)
        // The first two bytes begin a report of the cursor, too.
        guard begin.count > 2, modeBegin.starts(with: begin) else { return nil }
        let rest = bytes.dropFirst(modeBegin.count)
        guard let value = rest.first else { return .beginning }
        let end = rest.dropFirst().prefix(modeEnd.count)
        guard (0x30...0x39).contains(value), modeEnd.starts(with: end) else { return nil }
        return end.count < modeEnd.count ? .beginning : .mode(Int(value - 0x30), end: end.endIndex)
    }
}
