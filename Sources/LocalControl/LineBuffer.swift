/// Splits received bytes into lines. Performs no I/O.
package struct LineBuffer: Equatable {
    package enum Line: Equatable {
        case text(String)
        /// Longer than the limit, or not UTF-8; the text states which.
        case unfit(String)
    }

    /// The maximum bytes of a line.
    package let limit: Int
    private var bytes: [UInt8] = []
    /// The number of leading bytes that are known to contain no line feed.
    private var searched = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func append(_ new: [UInt8]) {
        bytes += new
    }

    /// Removes and returns the first line, without its terminator; nil until a line is complete or too long.
    package mutating func next() -> Line? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return bytes.count > limit ? .unfit("the line is longer than \(limit) bytes") : nil
        }
        var line = bytes[..<end]
        bytes.removeFirst(end + 1)
        searched = 0
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= limit else { return .unfit("the line is longer than \(limit) bytes") }
        return String(validating: line, as: UTF8.self).map(Line.text) ?? .unfit("the line is not UTF-8")
    }
}
