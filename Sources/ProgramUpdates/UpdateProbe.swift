import Bellerophon
package import Processes
import SafeText

/// What a source asks this machine: commands within limits, and files.
package struct UpdateProbe: Sendable {
    package typealias Run = Result<CommandOutput, StartError>

    /// The variables of the commands.
    package var environment: ProcessVariables
    package var files: any InstallFiles
    /// The longest time for what can be had.
    package var availableLimit = Duration.seconds(30)
    /// When every question for what can be had ends; nil for no end.
    var deadline: ContinuousClock.Instant?
    /// The longest time for what is installed.
    package var installedLimit = Duration.seconds(2)

    package init(environment: ProcessVariables, files: any InstallFiles = SystemFiles()) {
        (self.environment, self.files) = (environment, files)
    }

    /// Runs a command without a terminal. Its messages are in English.
    func run(_ arguments: [String], _ limit: Duration, _ outputLimit: Int = 256 * 1024) -> Run {
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } ?? limit
        var command = BoundedCommand(arguments, limit: min(limit, left), outputLimit: outputLimit)
        command.environment = environment
        command.changes = ["LC_ALL": "C", "LANGUAGE": nil]
        return Result { () throws(StartError) in try command.run() }
    }

    /// The output of a command that has succeeded, or the end of a sentence about the source.
    func answer(_ arguments: [String], _ limit: Duration) -> Answer {
        Self.answer(run(arguments, limit), name: arguments[0]).prefixed("could not be asked: ")
    }

    /// The output of a command that has succeeded, or why there is none.
    enum Answer: Equatable {
        case text(String)
        case problem(String)

        func map<T>(_ read: (String) -> T, otherwise: (String) -> T) -> T {
            switch self {
            case .text(let text): read(text)
            case .problem(let problem): otherwise(problem)
            }
        }

        func prefixed(_ prefix: String) -> Self {
            if case .problem(let problem) = self { .problem(prefix + problem) } else { self }
        }
    }

    /// - Parameter name: the command at the beginning of a problem; nil if the sentence has it already.
    static func answer(_ run: Run, name: String?) -> Answer {
        if case .success(let output) = run, output.outcome == .ended(.exit(0)) || output.outcome == .ended(.unknown) {
            return .text(output.text)
        }
        return .problem((name.map { $0 + " " } ?? "") + words(run))
    }

    /// Why a source could not be asked, as the end of a sentence that begins with its name.
    static func problem(_ run: Run, _ command: String) -> String { "could not be asked: \(command) \(words(run))" }

    /// Text from outside in a message: safe to draw, on one line and cut at a number of bytes.
    static func shown(_ text: String, limit: Int = 64) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: limit)
    }

    /// How a command has failed, with the last line that it has written.
    private static func words(_ run: Run) -> String {
        switch run {
        case .failure(let error): return "can't be started: \(error.reason)"
        case .success(let output):
            switch output.outcome {
            case .late: return "did not end in time"
            case .full: return "printed too much"
            case .interrupted: return "was interrupted"
            case .ended(let end):
                let line = [output.errorText, output.text].lazy.compactMap { text in
                    text.split(whereSeparator: \.isNewline).last { $0.contains { !$0.isWhitespace } }
                }.first
                let end = end == .exit(0) ? "printed nothing that is understood" : end.description
                return line.map { "\(end) (\(shown(String($0), limit: 120)))" } ?? end
            }
        }
    }
}
