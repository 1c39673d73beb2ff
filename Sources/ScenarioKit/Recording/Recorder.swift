import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import Synchronization

/// Keeps a recording in a file that is always complete: each version is written to a temporary file, which replaces it.
///
/// Exchanges may come from any thread.
package final class Recorder: Sendable {
    private struct State {
        var recording: Recording
        var written = ""
        var problem: String?
        var onProblem: (@Sendable (String) -> Void)?
    }

    package let path: String
    private let state: Mutex<State>

    /// Creates an empty file, which reserves the name.
    /// - Throws: if there is a file that isn't empty, or none can be created.
    package init(_ path: String, recording: Recording) throws(OutputFileError) {
        self.path = path
        state = Mutex(State(recording: recording))
        if try OutputFile.create(path, "") { return }
        if let problem = OutputFile.problem(with: FileFacts(path: path), path, for: "a recording") { throw problem }
    }

    /// Sets the handler of later problems, which is called on any thread.
    package func onProblem(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onProblem = handler }
    }

    /// Adds an exchange, and writes the file if the recording changes.
    package func record(_ exchange: StatusExchange) {
        state.withLock { state in
            let wasFull = state.recording.isFull
            state.recording.add(exchange, at: Date())
            write(&state)
            if state.recording.isFull, !wasFull {
                state.onProblem?("the recording is full; \(path) contains everything before this")
            }
        }
    }

    /// Ends the recording. The file is removed if nothing was recorded.
    package func finish() {
        state.withLock { state in
            write(&state)
            if state.written.isEmpty, FileFacts(path: path)?.st_size == 0 { unlink(path) }
        }
    }

    private func write(_ state: inout State) {
        guard !state.recording.isEmpty else { return }
        let text = state.recording.file.json
        guard text != state.written else { return }
        let url = URL(fileURLWithPath: path)
        let draft = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(getpid()).tmp").path
        do throws(FileError) {
            try FileCalls.replace(path, with: Data(text.utf8), draft: draft, isNameDurable: false)
            (state.written, state.problem) = (text, nil)
        } catch {
            // Reported once, not with every reply; the next exchange tries again.
            let problem = "recording: \(OutputFileError(error))"
            if state.problem != problem { state.onProblem?(problem) }
            state.problem = problem
        }
    }
}
