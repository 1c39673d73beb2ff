/// What is wrong with a configuration: where, and what was expected there.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's path, the variable's name or the flag.
    public let origin: String
    /// One line for each problem.
    public let problems: [String]

    public init(origin: String, problems: [String]) {
        self.origin = origin
        self.problems = problems
    }

    public init(origin: String, _ problem: String) {
        self.init(origin: origin, problems: [problem])
    }

    public var description: String {
        problems.map { "\(origin): \($0)" }.joined(separator: "\n")
    }
}
