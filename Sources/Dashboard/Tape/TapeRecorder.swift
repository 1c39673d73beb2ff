import BellerophonBase
import Foundation
import ProgramKit
import ScenarioKit
import Synchronization
import TerminalUI

/// Writes a ``Tape`` to a file, one line at a time, so that a crash loses no more than the last line.
package final class TapeRecorder: Sendable {
    private struct State {
        var tape: Tape
        /// Nil after the end.
        var descriptor: Int32?
        /// The bytes of complete lines.
        var length = 0
        var start: ContinuousClock.Instant?
        var onProblem: (@Sendable (String) -> Void)?
        /// Why the recording has ended early.
        var problem: OutputFileError?
    }

    package let path: String
    private let state: Mutex<State>

    /// Creates the file, for its owner only (0600).
    /// - Throws: if there is a file that isn't empty, or none can be created.
    package init(_ path: String, _ tape: Tape) throws(OutputFileError) {
        self.path = path
        let descriptor = try OutputFile.open(path, O_WRONLY | O_CREAT)
        state = Mutex(State(tape: tape, descriptor: descriptor))
        if let problem = OutputFile.problem(with: FileFacts(descriptor: descriptor), path, for: "a tape") {
            close(descriptor)
            throw problem
        }
    }

    /// Sets the handler of a problem that ends the recording. It is called on the thread of ``record(_:at:)``.
    package func onProblem(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onProblem = handler }
    }

    /// What became of the recording, in a line for the shell after ``finish(at:)``.
    package var closingLine: String {
        state.withLock { state in
            let end = state.problem.map { "; it ends early: \($0.problem)" } ?? ""
            return state.length == 0 ? "tape: nothing was recorded\(end)" : "tape: \(path)\(end)"
        }
    }

    /// Adds a frame that was painted at a time. The recording starts with the first one.
    package func record(_ frame: Frame, at instant: ContinuousClock.Instant) {
        state.withLock { state in
            let start = state.start ?? instant
            state.start = start
            write(state.tape.lines(for: frame, at: start.duration(to: instant)), &state)
        }
    }

    /// Takes the colours of roles from another theme from the next frame on.
    package func use(_ theme: ColorTheme) { state.withLock { $0.tape.use(theme) } }

    /// Ends the recording. The file is removed if nothing was recorded.
    package func finish(at instant: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let time = state.start?.duration(to: instant) ?? .zero
            write(state.tape.end(at: time).map { [$0] } ?? [], &state)
            end(&state)
        }
    }

    private func write(_ lines: [String], _ state: inout State) {
        for line in lines {
            guard let descriptor = state.descriptor else { return }
            let bytes = Data((line + "\n").utf8)
            do throws(FileError) {
                try FileCalls.write(bytes, to: descriptor, path: path)
            } catch {
                let problem = OutputFileError(error)
                // What was written of the line would make the file invalid.
                ftruncate(descriptor, off_t(state.length))
                end(&state)
                state.problem = problem
                state.onProblem?("tape: \(problem); the tape ends here")
                return
            }
            state.length += bytes.count
        }
    }

    private func end(_ state: inout State) {
        guard let descriptor = state.descriptor else { return }
        if state.length == 0 { unlink(path) }
        close(descriptor)
        state.descriptor = nil
    }
}
