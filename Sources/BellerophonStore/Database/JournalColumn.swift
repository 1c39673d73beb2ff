import GRDB

/// A column of the journal: its name in every table, in the order in which the digest of a row covers it.
///
/// Rows, the digests and the rows that servers share follow from this list. A column without a value is no part of a digest.
enum JournalColumn: String, CaseIterable, ColumnExpression {
    case id, at, who, action, app, channel, resource, version
    case fromVersion = "from_version"
    case token, reason, document
    case endsAt = "ends_at"
    case ends, published, author, request, proposal
    case proposedBy = "proposed_by"
    case subject
    case breakGlass = "break_glass"
    /// The ``RowPlan`` of a status, or a ``RowBody``.
    case body

    var name: String { rawValue }

    /// Whether it has numbers; the others have texts.
    var isNumber: Bool {
        [.id, .at, .version, .fromVersion, .endsAt, .ends, .published, .proposal, .breakGlass].contains(self)
    }

    /// The columns as a command that creates the table declares them.
    /// - Parameters:
    ///   - number: the type of numbers.
    ///   - constraints: of single columns.
    static func declarations(number: String, _ constraints: [JournalColumn: String]) -> String {
        allCases.map { column in
            let constraint = constraints[column] ?? ([.at, .who, .action].contains(column) ? "NOT NULL" : "")
            return "\(column.name) \(column.isNumber ? number : "TEXT") \(constraint)"
        }.joined(separator: ", ")
    }

    /// The value of a row as text; nil if it has none.
    func text(_ row: Row) -> String? {
        switch (row[self] as DatabaseValue).storage {
        case .null, .blob, .double: nil
        case .int64(let number): String(number)
        case .string(let text): text
        }
    }

    /// The value of a text; see ``text(_:)``.
    func value(_ text: String?) -> DatabaseValue {
        guard let text else { return .null }
        return isNumber ? (Int64(text) ?? 0).databaseValue : text.databaseValue
    }
}
