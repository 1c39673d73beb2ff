import Dispatch
import Foundation
import ProgramKit
import ScenarioKit

/// The files that a session writes: the journal of every service, and optionally recordings of the replies and of the screen.
@MainActor
final class SessionFiles {
    private let journals: [SessionLogKeeper]
    private let recorder: Recorder?
    let tape: TapeRecorder?

    init(journals: [SessionLogKeeper], recorder: Recorder?, tape: TapeRecorder? = nil) {
        self.journals = journals
        self.recorder = recorder
        self.tape = tape
    }

    func begin(onProblem: @escaping @MainActor @Sendable (String) -> Void) {
        for journal in journals { journal.onProblem = onProblem }
        let later: @Sendable (String) -> Void = { problem in
            DispatchQueue.main.async { MainActor.assumeIsolated { onProblem(problem) } }
        }
        recorder?.onProblem(later)
        tape?.onProblem(later)
        for journal in journals { journal.begin() }
    }

    func end(_ how: String) {
        for journal in journals { journal.end(how) }
        recorder?.finish()
        tape?.finish()
    }
}
