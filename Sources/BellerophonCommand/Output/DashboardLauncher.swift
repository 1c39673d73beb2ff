import ArgumentParser
import BellerophonCurses
import Dashboard
import Foundation
import ProgramKit
import ScenarioKit

/// Opens the terminal, runs the dashboard in it, and restores the terminal.
enum DashboardLauncher {
    static func run(_ setup: DashboardSetup) throws {
        if setup.configuration.display.isPlain || !hasScreen {
            let origin = CommandLines.origin
            // Only a demo takes lines from a pipe, because they pick what its server replies.
            return try PlainLauncher.run(setup, .text, linesFrom: origin == .terminal || setup.simulation != nil ? origin : nil)
        }
        // If no screen opens, this removes the empty files that reserved the names of recordings.
        defer {
            setup.recorder?.finish()
            setup.tape?.finish()
        }
        try MainActor.assumeIsolated {
            let terminal = try open(setup.configuration.display)
            let program = DashboardProgram(setup, terminal: terminal)
            program.run()
            terminal.close()
            // The cover leaves nothing on the screen.
            if let line = program.closingLine { StandardError.print("bellerophon: \(line)") }
            if let tape = setup.tape { StandardError.print("bellerophon: \(tape.closingLine)") }
        }
    }

    /// Whether there is a terminal that can show more than lines.
    static var hasScreen: Bool {
        isatty(0) == 1 && isatty(1) == 1 && Environment.variables["TERM"] != "dumb"
    }

    @MainActor
    private static func open(_ display: DisplaySettings) throws -> CursesTerminal {
        do {
            return try CursesTerminal.open(
                TerminalOptions(
                    color: display.color.depth, theme: display.theme, glyphs: display.glyphs.style,
                    mouse: display.usesMouse, hyperlinks: display.usesHyperlinks
                )
            )
        } catch {
            StandardError.print("bellerophon: \(error)")
            throw ExitCode(1)
        }
    }
}

/// Runs the program without a screen.
enum PlainLauncher {
    static func run(_ setup: DashboardSetup, _ format: PlainOutput.Format, linesFrom origin: CommandLines.Origin?) throws {
        let end = MainActor.assumeIsolated {
            let phrases = OverlayPhrases(setup.configuration.display.language ?? .current)
            return PlainProgram(setup, output: PlainOutput(format, phrases: phrases), linesFrom: origin).run()
        }
        switch end {
        case .quit: break
        case .signal(let number): MainActor.assumeIsolated { SignalWatch.end(by: number) }
        case .outputFailed(let problem):
            StandardError.print("bellerophon: standard output can't be written: \(problem)")
            throw ExitCode(1)
        }
    }
}
