import Foundation
import GRDB

extension JournalTable {
    /// The rows about an app are merged from each of its channels and proposals, in which an index has them in order. The cost
    /// then grows with the limit, and not with the number of rows about the app.
    ///
    /// A search of the whole journal takes steps: see ``JournalSearch``.
    func rows(matching filter: JournalFilter, oldestFirst: Bool) throws -> [JournalEntry] {
        let order = oldestFirst ? "ASC" : "DESC"
        guard let apps = filter.namedApps else {
            let (clause, arguments) = Self.clause(filter.conditions)
            return try rows("\(clause) ORDER BY id \(order) LIMIT \(filter.limit)", arguments)
        }
        var ids: [Int64] = []
        for app in apps.sorted() {
            for part in try parts(of: app, channel: filter.channel) {
                let (clause, arguments) = Self.clause([part] + filter.conditions)
                ids += try Int64.fetchAll(
                    database, sql: "SELECT id FROM journal \(clause) ORDER BY id \(order) LIMIT \(filter.limit)",
                    arguments: arguments)
            }
        }
        ids.sort(by: oldestFirst ? { $0 < $1 } : { $0 > $1 })
        let marks = ids.prefix(filter.limit).map(String.init).joined(separator: ", ")
        return try rows("WHERE id IN (\(marks)) ORDER BY id \(order)")
    }

    /// Conditions that select the channels of an app and its proposals, each of one part of an index.
    private func parts(of app: String, channel: String?) throws -> [Condition] {
        let channels = try channel.map { [$0] } ?? distinct("channel", "app IS NOT NULL AND app = ?", [app])
        // The character after "/" is "0".
        let about = channel.map { ("\(app)/\($0) ", "\(app)/\($0)!") } ?? ("\(app)/", "\(app)0")
        let subjects = try distinct("subject", "subject IS NOT NULL AND subject >= ? AND subject < ?", [about.0, about.1])
        return channels.map { ("app IS NOT NULL AND app = ? AND channel = ?", [app, $0]) }
            + subjects.map { ("subject IS NOT NULL AND subject = ?", [$0]) }
    }

    /// The values of a column, each found with one search in an index that has them in order.
    private func distinct(_ column: String, _ condition: String, _ arguments: [String]) throws -> [String] {
        var values: [String] = []
        while true {
            let last = values.last ?? ""
            let next = try String.fetchOne(
                database, sql: "SELECT min(\(column)) FROM journal WHERE \(condition) AND \(column) > ?",
                arguments: StatementArguments(arguments + [last]))
            guard let next else { return values }
            values.append(next)
        }
    }

    /// A part of a `WHERE` clause.
    fileprivate typealias Condition = (sql: String, arguments: [any DatabaseValueConvertible])

    private static func clause(_ conditions: [Condition]) -> (String, StatementArguments) {
        let sql = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.sql).joined(separator: " AND ")
        return (sql, StatementArguments(conditions.flatMap(\.arguments)))
    }
}

extension JournalFilter {
    /// The apps that rows must be about; nil for all rows.
    fileprivate var namedApps: Set<String>? {
        guard let app else { return apps }
        return apps.map { $0.intersection([app]) } ?? [app]
    }

    /// Whether an index has the rows in order, so that no others are looked at.
    var isAnsweredByIndex: Bool {
        guard since == nil else { return false }
        return namedApps == nil ? channel == nil : resource == nil
    }

    /// The conditions beside the app, and beside the channel of a named app.
    fileprivate var conditions: [JournalTable.Condition] {
        let anyApp = namedApps == nil ? channel : nil
        let conditions: [JournalTable.Condition?] = [
            anyApp.map { ("(channel = ? OR instr(subject, '/' || ? || ' ') > 0)", [$0, $0]) },
            resource.map { ("resource IS NOT NULL AND resource = ?", [$0]) }, before.map { ("id < ?", [$0]) },
            after.map { ("id > ?", [$0]) }, since.map { ("at >= ?", [$0.milliseconds]) },
        ]
        return conditions.compactMap(\.self)
    }
}
