import Dispatch
import Foundation

/// The files that a session writes: its journal, and optionally a recording.
@MainActor
final class SessionFiles {
    let journal: JournalKeeper
    private let recorder: Recorder?

    init(journal: JournalKeeper, recorder: Recorder?) {
        self.journal = journal
        self.recorder = recorder
    }

    func begin(onProblem: @escaping @MainActor @Sendable (String) -> Void) {
        journal.onProblem = onProblem
        recorder?.onProblem { problem in
            DispatchQueue.main.async { MainActor.assumeIsolated { onProblem(problem) } }
        }
        journal.begin()
    }

    func end(_ how: String) {
        journal.end(how)
        recorder?.finish()
    }
}
