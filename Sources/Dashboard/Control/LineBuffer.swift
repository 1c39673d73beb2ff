/// Bytes as they come, cut into lines. Pure.
struct LineBuffer: Equatable {
    enum Line: Equatable {
        case text(String)
        /// Longer than the limit, or no UTF-8.
        case unfit(String)
    }

    /// Bytes that a line may have.
    let limit: Int
    private var bytes: [UInt8] = []
    /// How many of the bytes are known to hold no end of a line.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ new: [UInt8]) {
        bytes += new
    }

    /// Takes out the first line, without its end; nil while none is whole.
    mutating func next() -> Line? {
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
