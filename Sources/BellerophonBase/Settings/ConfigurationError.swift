/// The problems in a configuration, with their origin.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's path, the variable's name or the flag; empty for the configuration as a whole.
    package let origin: String
    /// One line for each problem.
    package let problems: [String]

    package init(origin: String, problems: [String]) {
        self.origin = origin
        self.problems = problems
    }

    package init(origin: String, _ problem: String) {
        self.init(origin: origin, problems: [problem])
    }

    package var description: String {
        problems.map { origin.isEmpty ? $0 : "\(origin): \($0)" }.joined(separator: "\n")
    }
}
