import Bellerophon
import Foundation
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
        let answer = Self.answer(run(arguments, limit))
        return if case .problem(let end) = answer { .problem(Self.problem(arguments[0], end)) } else { answer }
    }

    /// The output of a command that has succeeded, or why there is none.
    enum Answer: Equatable {
        case text(String)
        case problem(LocalizedText)

        func map<T>(_ read: (String) -> T, otherwise: (LocalizedText) -> T) -> T {
            switch self {
            case .text(let text): read(text)
            case .problem(let problem): otherwise(problem)
            }
        }
    }

    /// The output of a command that has succeeded, or how it has failed.
    static func answer(_ run: Run) -> Answer {
        if case .success(let output) = run, output.outcome == .ended(.exit(0)) || output.outcome == .ended(.unknown) {
            return .text(output.text)
        }
        return .problem(end(run))
    }

    /// Why a source could not be asked, as the end of a sentence that begins with its name.
    static func notAsked(_ reason: LocalizedText) -> LocalizedText { .phrase(\.obstacles.notAsked, ["reason": reason]) }

    /// That a source could not be asked, because a command has ended like this.
    static func problem(_ command: String, _ end: LocalizedText) -> LocalizedText {
        notAsked(.phrase(\.obstacles.commandFailed, ["command": .foreign(command), "end": end]))
    }

    static func incomparable(_ version: String) -> LocalizedText {
        .phrase(\.obstacles.incomparable, ["version": .foreign(shown(version))])
    }

    /// Text from outside in a message: safe to draw, on one line and cut at a number of bytes.
    static func shown(_ text: String, limit: Int = 64) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: limit)
    }

    /// How a command has failed, with the last line that it has written.
    static func end(_ run: Run) -> LocalizedText {
        switch run {
        case .failure(let error): return .phrase(\.ends.notStarted, ["reason": .foreign(error.reason)])
        case .success(let output):
            switch output.outcome {
            case .late: return .phrase(\.ends.late)
            case .full: return .phrase(\.ends.full)
            case .interrupted: return .phrase(\.ends.interrupted)
            case .ended(let end):
                let line = [output.errorText, output.text].lazy.compactMap { text in
                    text.split(whereSeparator: \.isNewline).last { $0.contains { !$0.isWhitespace } }
                }.first
                let words = end == .exit(0) ? .phrase(\.ends.notUnderstood) : end.localized
                guard let line else { return words }
                return .phrase(
                    \.ends.withOutput, ["end": words, "line": .foreign(shown(String(line), limit: 120))])
            }
        }
    }
}

extension ChildProcess.End {
    /// The end in words, as what is said of the command.
    package var localized: LocalizedText {
        switch self {
        case .exit(0): .phrase(\.ends.finished)
        case .exit(127): .phrase(\.ends.notFound)
        case .exit(let code): .phrase(\.ends.exited, ["code": .foreign("\(code)")])
        case .signal(SIGINT): .phrase(\.ends.interrupted)
        case .signal(let number): .phrase(\.ends.signaled, ["signal": .foreign("\(number)")])
        case .unknown: .phrase(\.ends.unknown)
        }
    }
}
