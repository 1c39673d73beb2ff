import Bellerophon
internal import Processes

/// What a terminal shows before and after a command that updates a program, in the language of the person at it.
struct UpdateText {
    /// The most lines of a command's output that a view shows.
    static let lineLimit = 5

    let phrases: OverlayPhrases
    private var words: OverlayPhrases.Terminal { phrases.terminal }

    init(_ phrases: OverlayPhrases) { self.phrases = phrases }

    /// The heading above the command's own output.
    func begin(_ command: UpdateCommand, of app: String) -> String {
        let version = command.version
        let heading =
            switch command.purpose {
            case .refresh: words.looking
            case .update where command.goesBack: version == nil ? words.otherVersion : words.goesBack
            case .update: version == nil ? words.updating : words.updatingTo
            }
        return "\n── \(heading.with(["name": app, "version": version ?? ""])) ──\n$ \(command.text)\n\n"
    }

    func waits(for process: Int32?) -> String {
        let first = process.map { words.otherProcess.with(["process": "\($0)"]) } ?? words.otherSession
        return "\(first)\n\(words.waits)\n"
    }

    func withoutLock(_ reason: LocalizedText) -> String {
        words.withoutLock.with(["reason": reason.text(phrases)]) + "\n\n"
    }

    func updatedElsewhere(_ version: String, goesOn: Bool) -> String {
        line(words.installedElsewhere.with(["version": version]), goesOn: goesOn)
    }

    /// The line below the command's output.
    func ended(_ command: UpdateCommand, _ end: ChildProcess.End, _ findings: UpdateFindings, goesOn: Bool) -> String {
        let ended = (command.purpose == .refresh ? words.command : words.update).with(["end": end.localized.text(phrases)])
        let installed = findings.installed.map { phrases.update.installed.with(["version": $0]) }
        if goesOn { return line(installed ?? ended, goesOn: true) }
        let proof = end == .exit(0) && command.purpose == .update ? installed.map { "; \($0)" } ?? "" : ""
        return line(ended + proof, goesOn: false)
    }

    private func line(_ text: String, goesOn: Bool) -> String { "\n── \(text) ──\(goesOn ? "" : " \(words.enter)")\n" }
}
