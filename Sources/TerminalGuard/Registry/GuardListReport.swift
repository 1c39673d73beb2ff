import Bellerophon
import BellerophonBase
import Foundation
import LocalControl
import SafeText

/// The guards of this machine, as a table for people or as JSON for scripts.
package struct GuardListReport: Equatable, Sendable {
    package let guards: [GuardListing]
    /// The time for ages.
    private let now: Date
    /// Whether the user of each guard is shown.
    private let showsUsers: Bool

    package init(_ guards: [GuardListing], now: Date = Date(), showsUsers: Bool = geteuid() == 0) {
        (self.guards, self.now, self.showsUsers) = (guards, now, showsUsers)
    }

    /// Whether a guard is blind, stale or does not reply.
    package var needsAttention: Bool { guards.contains { $0.health != .ok } }

    /// One JSON object.
    package var json: String { WireLine.text(["guards": guards.map(Entry.init)]) }

    /// A guard as one JSON object.
    package static func json(of listing: GuardListing) -> String { WireLine.text(Entry(listing: listing)) }

    /// A table with a line of titles. Every cell is one line that is safe to print.
    package var text: String {
        guard !guards.isEmpty else { return "no guard runs" }
        let titles = ["PID", "PROGRAM", "VERSION", "TREE", "STAGE", "AGE", "SERVER", "SINCE", "HOLDS", "STATE"]
        return GuardTable.text([(showsUsers ? ["USER"] : []) + titles] + guards.map(cells), limit: 300)
    }

    private func cells(_ listing: GuardListing) -> [String] {
        let user = showsUsers ? [listing.state?.user ?? UserName.of(listing.entry.owner)] : []
        guard let state = listing.state else {
            return user + ["\(listing.pid)", listing.name, "-", "-", "-", "-", "-", "-", "-", "not responding"]
        }
        let held = state.tree.notHeld.isEmpty ? "" : ", \(state.tree.notHeld.count) not held"
        let texts = [
            "\(listing.pid)", listing.name, Self.version(state), state.tree.processes.map(String.init) ?? "-",
            Stage.word(for: state.stage),
            state.statusAge.map { Duration.seconds($0).briefText } ?? "-",
            "\(state.server) \(state.reachable == nil ? "not asked yet" : state.reachable == true ? "seen" : "not seen")",
            Duration.seconds(max(0, now.timeIntervalSince(state.started))).briefText, Self.word(state.tree.holding) + held,
            Self.condition(state),
        ]
        return user + texts
    }

    private static func version(_ state: GuardState) -> String {
        state.version.map { $0 + (state.versionFrom.map { " (\($0))" } ?? "") } ?? "-"
    }

    private static func word(_ holding: ProgramTree.Mechanism) -> String {
        switch holding {
        case .controlGroup: "control group"
        case .processes: "processes"
        case .processGroup: "process group"
        }
    }

    /// What is to be said of a guard: who stops its program, and what is wrong with it.
    private static func condition(_ state: GuardState) -> String {
        let program = state.program.state == "notStarted" ? "not started" : state.program.state
        let stop = state.localStop.map { "stopped here by \($0.by)" + ($0.reason.map { ": \($0)" } ?? "") }
        let server = state.blockedBy.contains(.server) ? "blocked by the server" : nil
        let problem = state.health == .stale ? "STALE" : state.health == .blind ? "BLIND: \(state.problem ?? "no reply")" : nil
        return [program, server, stop, problem].compactMap(\.self).joined(separator: ", ")
    }

    /// A guard's own state with what its observer adds: whether it replies, and how it is.
    private struct Entry: Encodable {
        let listing: GuardListing

        private enum Keys: String, CodingKey { case health, responding, pid, user, program, name }

        func encode(to encoder: any Encoder) throws {
            try listing.state?.encode(to: encoder)
            var values = encoder.container(keyedBy: Keys.self)
            try values.encode(listing.health, forKey: .health)
            try values.encode(listing.state != nil, forKey: .responding)
            guard listing.state == nil else { return }
            try values.encode(listing.pid, forKey: .pid)
            try values.encode(UserName.of(listing.entry.owner), forKey: .user)
            var program = values.nestedContainer(keyedBy: Keys.self, forKey: .program)
            try program.encode(listing.name, forKey: .name)
        }
    }
}

/// A table for people.
enum GuardTable {
    /// - Parameters:
    ///   - rows: the titles, and the cells below them.
    ///   - limit: the most bytes of a cell.
    static func text(_ rows: [[String]], limit: Int = TextSanitizer.byteLimit) -> String {
        let rows = rows.map { $0.map { line($0, limit: limit) } }
        let widths = rows[0].indices.map { column in rows.map { CellText.width(of: $0[column]) }.max() ?? 0 }
        return rows.map { cells in
            zip(cells, widths).dropLast().map { CellText.padded($0, columns: $1) + "  " }.joined() + (cells.last ?? "")
        }.joined(separator: "\n")
    }

    /// A text on one line that is safe to print.
    static func line(_ text: String, limit: Int = TextSanitizer.byteLimit) -> String {
        TextSanitizer.sanitize(text.replacing("\n", with: "; "), keepingNewlines: false, limit: limit)
    }
}
