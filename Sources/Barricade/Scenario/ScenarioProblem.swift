import BellerophonBase

/// One thing that is wrong in a scenario file: where, and what was expected.
public struct ScenarioProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name as it was given; empty where the text came from no file.
    public var file = ""
    /// Counts from 1.
    public let line: Int
    /// Counts from 1, in bytes of UTF-8.
    public let column: Int
    /// Where in the document: `timelines.maintenance.steps[2].for`. Empty for the document itself.
    public let path: String
    /// What is wrong: `expected a number of seconds above 0, found text`.
    public let sentence: String

    init(_ place: JSONPosition, path: String, _ sentence: String) {
        line = place.line
        column = place.column
        self.path = path
        self.sentence = sentence
    }

    /// `story.json:12: timelines.maintenance.steps[2].for: expected a number of seconds above 0, found text`
    public var description: String {
        let place = file.isEmpty ? "line \(line)" : "\(file):\(line)"
        return [place, path, sentence].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

/// A scenario file that can't be used, with all that is wrong in it.
public struct ScenarioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// At least one, in the order of their lines.
    public let problems: [ScenarioProblem]

    /// A line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
