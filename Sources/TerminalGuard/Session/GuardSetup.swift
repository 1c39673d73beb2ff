import Bellerophon
import Foundation
import Processes
import ProgramUpdates
import TerminalShadow
import TerminalUI

/// What a guard does if the status blocks the program before its start.
public enum StartPolicy: String, CaseIterable, Sendable {
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
    /// The clock of the manager.
    package var clock: any ManagerClock = DispatchClock()
    /// The source of the status with its policies. The window and the views are the guard's own.
    package var configuration: BellerophonConfig
    /// What the guard does besides covering the program.
    package var policy = GuardPolicy()
    /// Whether views and notices are lines, for a person who does not see the screen.
    package var isPlain = false
    /// The most colours, the theme and the characters that the person has chosen; nil for what the terminal seems to have.
    package var depth: ColorDepth?, theme: ColorTheme?, glyphs: GlyphStyle?
    /// Whether links are sent as hyperlinks (OSC 8).
    package var usesHyperlinks = true
    /// The colours of the terminal, their theme and the characters of drawings.
    var look = TerminalLook(depth: .indexed)
    /// Whether the terminal takes requests to copy a text (OSC 52).
    var copiesText = true
    /// Whether the locale can show only ASCII.
    var isASCIIOnly = false
    /// What is known of the terminal's alternate screen before the terminal is asked.
    var alternateScreen = AlternateScreenClaim.described
    /// What control sequences mean on the terminal.
    var dialect = TerminalDialect()
    /// Called for every report of the manager, before the screen changes.
    package var onReport: (StatusReport, StageMachine) -> Void = { _, _ in }
    /// Called when the terminal shows the present stage.
    package var onPaint: () -> Void = {}
    /// Called when what is known of everything that the program has started has changed.
    package var onTree: (TreeSummary) -> Void = { _ in }
    /// Called with the processes that had to be killed, as `NAME (PID)`.
    package var onKilled: ([String]) -> Void = { _ in }
    /// Where the guard is known to this machine; nil if it is not.
    package var registry: GuardRegistry?
    /// The fingerprint of the settings that decide which status counts (``GuardNesting``).
    package var fingerprint = ""
    /// Called when the program was stopped on this machine, or the stop was released.
    package var onLocalStop: (LocalStopChange) -> Void = { _ in }
    /// Finds out how a required update can be had; nil if that is not looked for.
    package var updates: UpdateDriver?
    /// How the guard starts again, after an update of its program.
    package var restart = ProgramRestart()
    /// Why this guard is the second one of its terminal; nil if it is the first.
    package var origin: ProgramRestart.Origin?
    /// Whether a process belongs to the guarded program, so that it can't release a stop of it; nil if that is not known.
    package var holds: (_ process: Int32) -> Bool? = { OwnProcess.ancestors(of: $0).map { $0.contains(getpid()) } }

    package init(command: ProgramCommand, configuration: BellerophonConfig) {
        self.command = command
        self.configuration = configuration
    }

    /// The name of the program, without its folder.
    var programName: String { (command.name as NSString).lastPathComponent }

    /// The words in the languages of the person.
    var phrases: OverlayPhrases { OverlayPhrases(configuration.languages) }
}
