import Bellerophon
import BellerophonBase
import SafeText

/// The states of all profiles, as a table for people or as JSON for scripts.
package struct GuardStatusReport: Equatable, Sendable {
    /// The path of `guard.d`.
    package let folder: String
    package let profiles: [GuardProfileStatus]

    /// What was read at the address of each profile, by its name; nil if the addresses were not tried.
    package let readings: [String: StatusReading]?

    /// What would hold everything that a program starts whose guard this user starts here; nil if it was not tried.
    package let holding: ProgramTree.Mechanism?

    package init(
        folder: String, profiles: [GuardProfileStatus], readings: [String: StatusReading]? = nil,
        holding: ProgramTree.Mechanism? = nil
    ) {
        self.folder = folder
        self.profiles = profiles
        self.readings = readings
        self.holding = holding
    }

    /// Whether the status of a profile could not be read.
    package var hasUnreadableStatus: Bool { readings?.values.contains { $0.problem != nil } ?? false }

    /// Whether an administrator has to do something about a profile.
    package var needsAttention: Bool { profiles.contains(where: \.needsAttention) }

    /// One JSON object. `program`, `wrapper` and `reason` are missing where they are unknown, and `status` and `statusProblem`
    /// where the address was not tried.
    package var json: String {
        let profiles = profiles.map { profile in
            JSONNode.object([
                ("name", .text(profile.name)), ("program", profile.program.map(JSONNode.text)),
                ("wrapper", profile.wrapper.map(JSONNode.text)), ("state", .text(profile.state.name)),
                ("reason", profile.state.reason.map(JSONNode.text)),
                ("status", readings?[profile.name]?.stage.map { .text($0.rawValue) }),
                ("statusProblem", readings?[profile.name]?.problem.map(JSONNode.text)),
            ])
        }
        return JSONNode.object([
            ("folder", .text(folder)), ("holding", holding.map { .text($0.rawValue) }), ("profiles", .array(profiles)),
        ]).compactText(escaping: \.isInvisible)
    }

    /// A table with a line of titles, and a line about what holds the programs. Every cell is one line that is safe to print.
    package var text: String { table + (holding.map { "\n\nheld here by: \($0.text)" } ?? "") }

    private var table: String {
        guard !profiles.isEmpty else { return "no profiles in \(GuardTable.line(folder))" }
        return GuardTable.text(
            [["NAME", "PROGRAM", "WRAPPER", "STATE"] + (readings == nil ? [] : ["STATUS"])] + profiles.map(cells))
    }

    private func cells(_ profile: GuardProfileStatus) -> [String] {
        let state = profile.state == .notInstalled ? "not installed" : profile.state.name
        let texts = [
            profile.name, profile.program ?? "-", profile.wrapper ?? "-", state + (profile.state.reason.map { ": \($0)" } ?? ""),
        ]
        return texts + (readings.map { [$0[profile.name]?.text ?? "-"] } ?? [])
    }
}
