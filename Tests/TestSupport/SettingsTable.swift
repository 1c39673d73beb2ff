import BellerophonBase
import Foundation

/// The table of a program's settings in a document, generated from the settings.
package enum SettingsTable {
    private static let begin = "<!-- settings: written by RECORD_TABLES=1 make test -->\n"
    private static let end = "<!-- end of settings -->"

    /// Compares the document's table with the settings, or writes it with `RECORD_TABLES=1`.
    /// - Returns: the difference; nil if the table is correct.
    package static func problem<Configuration>(
        _ settings: [Setting<Configuration>], in document: URL, hasFlags: Bool
    ) throws -> String? {
        try DocumentPart.problem(
            "the table of settings", table(settings, hasFlags: hasFlags), in: document, from: begin, to: end)
    }

    package static func table<Configuration>(_ settings: [Setting<Configuration>], hasFlags: Bool) -> String {
        let hasDefaults = settings.contains { $0.defaultText != nil }
        let head =
            ["setting"] + (hasFlags ? ["flag"] : []) + ["variable", "value"] + (hasDefaults ? ["default"] : []) + ["meaning"]
        let rows = settings.map { setting in
            ["`\(setting.path)`"] + (hasFlags ? [code(setting.flag)] : []) + [code(setting.variable), setting.expected]
                + (hasDefaults ? [code(setting.defaultText)] : []) + [setting.help]
        }
        return line(head) + line(head.map { _ in "---" }) + rows.map { line($0) }.joined()
    }

    private static func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "" }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}
