import Bellerophon
import Foundation
package import Processes
import SafeText

/// What a source asks this machine: commands within limits, and files.
package struct UpdateProbe: Sendable {
    /// The variables of the commands.
    package var environment: ProcessVariables
    let files = SystemFiles()
    /// The longest time for what can be had.
    package var availableLimit = Duration.seconds(30)
    /// When every question for what can be had ends; nil for no end.
    var deadline: ContinuousClock.Instant?
    /// The longest time for what is installed.
    package var installedLimit = Duration.seconds(2)

    package init(environment: ProcessVariables) { self.environment = environment }

    /// Runs a command without a terminal. Its messages are in English.
    func run(_ arguments: [String], _ limit: Duration, _ outputLimit: Int = 256 * 1024) -> CommandOutput {
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } ?? limit
        var command = BoundedCommand(arguments, limit: min(limit, left), outputLimit: outputLimit)
        command.environment = environment.changed(by: ["LC_ALL": "C", "LANGUAGE": nil])
        return command.run()
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
    static func end(_ output: CommandOutput) -> LocalizedText {
        switch output.outcome {
        case .notStarted(let error): return .phrase(\.ends.notStarted, ["reason": .foreign(error.reason)])
        case .late: return .phrase(\.ends.late)
        case .full: return .phrase(\.ends.full)
        case .ended(let end):
            let line = [output.errorText, output.text].lazy.compactMap { text in
                text.split(whereSeparator: \.isNewline).last { $0.contains { !$0.isWhitespace } }
            }.first
            let words = end == .exit(0) ? .phrase(\.ends.notUnderstood) : end.localized
            guard let line else { return words }
            return .phrase(\.ends.withOutput, ["end": words, "line": .foreign(shown(String(line), limit: 120))])
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
