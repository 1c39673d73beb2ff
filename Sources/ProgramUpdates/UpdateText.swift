import Bellerophon
internal import Processes

/// What a terminal shows before and after a command that updates a program.
enum UpdateText {
    /// The most lines of a command's output that a view shows.
    static let lineLimit = 5

    /// The heading above the command's own output.
    static func begin(_ command: UpdateCommand, of app: String) -> String {
        let heading =
            switch command.purpose {
            case .refresh: "looking for versions of \(app)"
            case .update where command.goesBack:
                command.version.map { "\(app) goes back to \($0)" } ?? "another version of \(app)"
            case .update: command.version.map { "updating \(app) to \($0)" } ?? "updating \(app)"
            }
        return "\n── \(heading) ──\n$ \(command.text)\n\n"
    }

    static func waits(for process: Int32?) -> String {
        let who = process.map { " (process \($0))" } ?? ""
        return "Another session\(who) is updating it.\nThis one waits for it. Press Enter to go back without waiting.\n"
    }

    static func withoutLock(_ reason: String) -> String {
        "Another session could update it at the same time: \(reason)\n\n"
    }

    static func updatedElsewhere(_ version: String, goesOn: Bool) -> String {
        "\n── the other session has installed \(version) ──\(goesOn ? "" : " Press Enter to go back.")\n"
    }

    /// The line below the command's output.
    static func ended(_ command: UpdateCommand, _ end: ChildProcess.End, _ findings: UpdateFindings, goesOn: Bool) -> String {
        let subject = command.purpose == .refresh ? "the command" : "the update"
        if goesOn { return "\n── \(findings.installed.map { "\($0) is installed" } ?? "\(subject) \(end.description)") ──\n" }
        let proof = end == .exit(0) && command.purpose == .update ? findings.installed.map { "; \($0) is installed" } ?? "" : ""
        return "\n── \(subject) \(end.description)\(proof) ── Press Enter to go back.\n"
    }
}
