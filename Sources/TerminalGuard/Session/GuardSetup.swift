import Bellerophon
import TerminalShadow
import TerminalUI

/// What a guard does if the status blocks the program before its start.
package enum StartPolicy: String, CaseIterable, Sendable {
    /// Shows the cover and starts the program when the status clears.
    case wait
    /// Ends without starting the program.
    case exit
    /// Starts the program under the cover.
    case anyway
}

/// The parameters of a guard.
@MainActor
package struct GuardSetup {
    /// The program to run.
    package var command: ProgramCommand
    /// The source of the status with its policies. The window and the views are the guard's own.
    package var configuration: BellerophonConfig
    /// What a kill or a required update does besides covering the program.
    package var responses = GuardWindow.Responses()
    /// What happens if the status blocks the program before its start.
    package var start = StartPolicy.wait
    /// The longest time that the start waits for the first status.
    package var startTimeout = Duration.seconds(2)
    /// The colours of the terminal, their theme and the characters of drawings.
    package var look = TerminalLook(depth: .indexed)
    /// Whether links are sent as hyperlinks (OSC 8).
    package var usesHyperlinks = true
    /// Whether the terminal takes requests to copy a text (OSC 52).
    package var copiesText = true
    /// Whether the locale can show only ASCII.
    package var isASCIIOnly = false
    /// What is known of the terminal's alternate screen before the terminal is asked.
    package var alternateScreen = AlternateScreenClaim.described
    /// What control sequences mean on the terminal.
    package var dialect = TerminalDialect()
    /// Called for every report of the manager, before the screen changes.
    package var onReport: (StatusReport, StageMachine) -> Void = { _, _ in }
    /// Called when the terminal shows the present stage.
    package var onPaint: () -> Void = {}

    package init(command: ProgramCommand, configuration: BellerophonConfig) {
        self.command = command
        self.configuration = configuration
    }
}

/// The result of a guard.
package enum GuardResult: Equatable, Sendable {
    /// The program ended by itself.
    case program(ProgramEnd)
    /// The status has refused or ended the program. The message is for standard error.
    case refused(message: String)
    /// The guard was ended by a signal.
    case signal(Int32)
}

extension BellerophonManager {
    /// Whether the status of the last run is as recent as that of a program that runs: its next check would not be due yet.
    var keptStatusIsRecent: Bool {
        guard let kept = keptStatus else { return false }
        return kept.age <= config.policy.clamp(seconds: kept.document.interval).wait
    }
}
