import ArgumentParser
import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit

/// The flag that names the journal file.
struct SessionLogOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Append every change of state to this file, as JSON lines.",
            discussion:
                "What the person saw, for how long, why it changed, and how soon after the reply. The file is made for its owner only.",
            valueName: "file"),
        completion: .file(extensions: ["jsonl"])
    )
    var journal: String?

    func open() throws -> SessionLogFile? {
        try journal.map { try SessionLogFile($0) }
    }
}

/// The flags that record real replies.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Save the server's replies to this new file, as a scenario that can be played and verified.",
            discussion: "Status, headers, body and timing; failures too. A file that is not empty is never overwritten.",
            valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var record: String?

    @Flag(name: .long, help: "Keep cookies, authorizations and the like in the recording; without it they are redacted.")
    var recordSecrets = false

    /// Refuses `--record-secrets` without `--record`, one file as both recording and journal, and a recording of several
    /// services.
    func verify(against journaling: SessionLogOptions, services: [ProgramKit.Configuration]) throws {
        guard recordSecrets == false || record != nil else {
            throw ValidationError("--record-secrets: means nothing without --record FILE")
        }
        guard record == nil || services.count == 1 else {
            let names = services.map(\.app.name).joined(separator: ", ")
            throw ValidationError("--record: records one service; give --service NAME (\(names))")
        }
        guard let record, let journal = journaling.journal, Self.place(record) == Self.place(journal) else { return }
        throw ValidationError("--record and --journal: \(record) can't be both")
    }

    /// Enforces polling while recording, because only replies to checks are recorded, not pushed statuses.
    func requirePolling(in configuration: inout ProgramKit.Configuration) throws {
        guard record != nil else { return }
        guard configuration.transport != .stream else {
            throw ValidationError("--record: records the replies to checks, and transport stream makes none; use auto or poll")
        }
        configuration.transport = .poll
    }

    func open(_ configuration: ProgramKit.Configuration) throws -> Recorder? {
        guard let url = configuration.statusURL else { return nil }
        let source = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "") + (url.path == "/" ? "" : url.path)
        let recording = Recording(
            source: source, app: configuration.app.appFacts, date: Date(), requestHeaders: Array(configuration.headers.keys),
            keepsSecrets: recordSecrets
        )
        return try record.map { try Recorder($0, recording: recording) }
    }

    /// What identifies the file of a name.
    static func place(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}
