/// A source location, so that a failed wait names its own line instead of the test's first line.
public struct Place: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    public init(file: StaticString = #fileID, line: UInt = #line) {
        self.file = file
        self.line = line
    }

    public var description: String { "\(file):\(line)" }
}

/// A failure of a test tool, with its source location and the relevant output.
public struct TestError: Error, CustomStringConvertible, Sendable {
    public let subject: String
    public let detail: String
    public let place: Place?

    public init(_ subject: String, detail: String = "", at place: Place? = nil) {
        self.subject = subject
        self.detail = detail
        self.place = place
    }

    public var description: String {
        let first = place.map { "\($0): \(subject)" } ?? subject
        return detail.isEmpty ? first : "\(first)\n\(detail)"
    }
}
