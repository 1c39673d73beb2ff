import BellerophonBase
import SafeText

/// The states of all profiles, as a table for people or as JSON for scripts.
package struct GuardStatusReport: Equatable, Sendable {
    /// The path of `guard.d`.
    package let folder: String
    package let profiles: [GuardProfileStatus]

    package init(folder: String, profiles: [GuardProfileStatus]) {
        self.folder = folder
        self.profiles = profiles
    }

    /// Whether an administrator has to do something about a profile.
    package var needsAttention: Bool { profiles.contains(where: \.needsAttention) }

    /// One JSON object. `program`, `wrapper` and `reason` are missing where they are unknown.
    package var json: String {
        let profiles = profiles.map { profile in
            JSONNode.object([
                ("name", .text(profile.name)), ("program", profile.program.map(JSONNode.text)),
                ("wrapper", profile.wrapper.map(JSONNode.text)), ("state", .text(profile.state.name)),
                ("reason", profile.state.reason.map(JSONNode.text)),
            ])
        }
        return JSONNode.object([("folder", .text(folder)), ("profiles", .array(profiles))]).compactText(escaping: \.isInvisible)
    }

    /// A table with a line of titles. Every cell is one line that is safe to print.
    package var text: String {
        guard !profiles.isEmpty else { return "no profiles in \(Self.line(folder))" }
        let rows = [["NAME", "PROGRAM", "WRAPPER", "STATE"]] + profiles.map(Self.cells)
        let widths = rows[0].indices.map { column in rows.map { CellText.width(of: $0[column]) }.max() ?? 0 }
        return rows.map { cells in
            zip(cells, widths).dropLast().map { CellText.padded($0, columns: $1) + "  " }.joined() + (cells.last ?? "")
        }.joined(separator: "\n")
    }

    private static func cells(_ profile: GuardProfileStatus) -> [String] {
        let state = profile.state == .notInstalled ? "not installed" : profile.state.name
        return [
            line(profile.name), line(profile.program ?? "-"), line(profile.wrapper ?? "-"),
            line(state + (profile.state.reason.map { ": \($0)" } ?? "")),
        ]
    }

    private static func line(_ text: String) -> String {
        TextSanitizer.sanitize(text.replacing("\n", with: "; "), keepingNewlines: false, limit: TextSanitizer.byteLimit)
    }
}
