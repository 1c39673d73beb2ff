/// A terminal's report of the cursor's position (`ESC [ row ; column R`).
struct CursorReport: Equatable, Sendable {
    /// Counted from zero.
    let column: Int
    let row: Int

    /// More bytes than this between the introducer and the final byte are not a report.
    static let longestBody = 11

    /// - Parameter body: the bytes between the introducer and the final byte. nil if they are not two numbers from 1.
    init?(body: ArraySlice<UInt8>) {
        let numbers = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        guard body.count <= Self.longestBody, numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
        row = numbers[0] - 1
        column = numbers[1] - 1
    }
}

/// Takes the reply to the guard's own question for the cursor's place out of the bytes for the program.
///
/// The reply may be divided between chunks. What may be its beginning is held until the next bytes tell.
struct CursorReportFilter: Equatable, Sendable {
    private var held: [UInt8] = []

    /// Whether only time can tell if what is held is whole: it may be Escape, or Alt with a bracket.
    var isAmbiguous: Bool { (1...2).contains(held.count) }

    /// Takes bytes for the program.
    /// - Returns: those that are certain not to belong to a report, up to the first report and, if there is one, behind it.
    mutating func take(_ bytes: [UInt8]) -> (rest: [UInt8], report: CursorReport?) {
        let input = held + bytes
        held = []
        for start in input.indices where input[start] == 0x1B {
            switch Self.match(input[start...]) {
            case .other: continue
            case .beginning:
                held = Array(input[start...])
                return (Array(input[..<start]), nil)
            case .report(let report, let end): return (Array(input[..<start] + input[end...]), report)
            }
        }
        return (input, nil)
    }

    /// Ends the wait for the rest of a report, and returns what was held.
    mutating func release() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private enum Match {
        case other, beginning, report(CursorReport, end: Int)
    }

    /// What the bytes from an Escape on are.
    private static func match(_ bytes: ArraySlice<UInt8>) -> Match {
        let rest = bytes.dropFirst()
        guard let bracket = rest.first else { return .beginning }
        guard bracket == UInt8(ascii: "[") else { return .other }
        let body = rest.dropFirst().prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
        if body.endIndex == bytes.endIndex { return body.count <= CursorReport.longestBody ? .beginning : .other }
        guard bytes[body.endIndex] == UInt8(ascii: "R"), let report = CursorReport(body: body) else { return .other }
        return .report(report, end: body.endIndex + 1)
    }
}
