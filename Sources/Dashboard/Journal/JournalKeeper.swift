import Bellerophon
import Foundation

/// Keeps the session's journal, and the file that it is appended to where the person named one.
@MainActor
final class JournalKeeper {
    /// Told of what goes wrong with the file; nothing of it ends the program.
    var onProblem: ((String) -> Void)?
    private var journal: Journal
    private let file: JournalFile?
    private let clock: any ManagerClock
    private var hasEnded = false

    init(_ session: JournalRecord.Session, file: JournalFile?, clock: any ManagerClock) {
        self.file = file
        self.clock = clock
        journal = Journal(session, at: clock.now, date: clock.date)
    }

    /// Writes the record of the start.
    func begin() {
        journal.records.first.map(append)
    }

    /// Takes what the manager reports, after it has been painted.
    /// - Parameters:
    ///   - painted: when what it led to was painted.
    ///   - publishLatency: from the publication of the status until then.
    func take(
        _ report: StatusReport, machine: StageMachine, painted: ContinuousClock.Instant, publishLatency: Duration? = nil
    ) {
        let (now, date) = (clock.now, clock.date)
        switch report {
        case .stageChanged(let transition):
            let arrival = Self.arrival(of: transition, machine.lastReply?.receipt, painted, publishLatency)
            append(journal.add(transition, message: machine.document?.message, arrival: arrival, at: now, date: date))
        case .messageChanged(let message): append(journal.add(message: message, at: now, date: date))
        default: break
        }
    }

    private static func arrival(
        of transition: Transition, _ receipt: StatusReceipt?, _ painted: ContinuousClock.Instant,
        _ publishLatency: Duration?
    ) -> JournalRecord.Arrival {
        guard case .status = transition.cause, let receipt else { return .init() }
        return .init(
            transport: receipt.isPushed ? .stream : .poll,
            paintLatency: receipt.lastByteAt.map { max(.zero, $0.duration(to: painted)) }, publishLatency: publishLatency
        )
    }

    /// Writes the record of the end, once.
    func end(_ how: String) {
        guard !hasEnded else { return }
        hasEnded = true
        append(journal.end(how, at: clock.now, date: clock.date))
    }

    /// Saves the session's journal to a new file.
    /// - Returns: what to tell the person.
    func export() throws(OutputFileError) -> String {
        let here = FileManager.default.currentDirectoryPath
        let state = ConfigurationFile.stateFolder(ProcessInfo.processInfo.environment).path
        let text = journal.exported(at: clock.now, date: clock.date)
        let path = try JournalExport.write(text, to: [here, state], date: clock.date)
        let name = path.hasPrefix(here + "/") ? String(path.dropFirst(here.utf8.count + 1)) : path
        return "journal saved: \(name)"
    }

    private func append(_ record: JournalRecord) {
        do {
            try file?.append(record)
        } catch {
            onProblem?("journal: \(error)")
        }
    }
}
