import BellerophonBase

/// A problem in a scenario file, with its position and the expected value.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file name as given; empty if there is none.
    public var file = ""
    /// The line, counted from 1.
    public let line: Int
    /// The column in bytes of UTF-8, counted from 1.
    public let column: Int
    /// The path in the document: `timelines.maintenance.steps[2].for`. Empty for the document itself.
    public let path: String
    /// The problem: `expected a number of seconds above 0, found text`.
    public let sentence: String

    init(_ place: JSONPosition, path: String, _ sentence: String) {
        line = place.line
        column = place.column
        self.path = path
        self.sentence = sentence
    }

    /// One line: `story.json:12: timelines.maintenance.steps[2].for: expected a number of seconds above 0, found text`
    public var description: String {
        let place = file.isEmpty ? "line \(line)" : "\(file):\(line)"
        return [place, path, sentence].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

/// The error for an invalid scenario file, with all its problems.
public struct ScenarioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// At least one problem, in the order of the lines.
    public let problems: [ScenarioError]

    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
