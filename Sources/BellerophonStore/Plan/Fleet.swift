import Foundation
import StatusModel

/// The apps that an operator knows of, as a table: what rules would do is counted in it before they are published.
///
/// ```csv
/// version,os,ci,count
/// 1.4.0,linux,false,1204
/// 1.5.2,macos,false,8829
/// ```
/// The columns `version`, `osVersion` and `count` (1 if absent) have a meaning of their own. Every other column is a fact. An empty
/// field is a fact that is not known.
package struct Fleet: Sendable {
    /// Apps with the same facts.
    struct Entry {
        var facts = AppFacts()
        var count = 1
    }

    /// The name of the table, such as `fleet.csv`, for sentences.
    let name: String
    /// The names of all columns, in their order.
    package let columns: [String]
    let entries: [Entry]
    /// The number of apps.
    let count: Int

    /// The most bytes of a table.
    package static let sizeLimit = 4 * 1024 * 1024
    /// The most apps of a line.
    private static let countLimit = 1_000_000_000

    /// Reads a table of comma-separated values with a heading. A field may be in quotation marks, and has no comma in it.
    /// - Parameters:
    ///   - csv: the table, in UTF-8.
    ///   - name: its name for sentences and errors, such as `fleet.csv`.
    /// - Throws: ``StoreError`` of kind `invalid`.
    package init(csv: Data, name: String) throws(StoreError) {
        func problem(_ text: String, line: Int? = nil) -> StoreError {
            .invalid(name + (line.map { ", line \($0)" } ?? "") + ": \(text)")
        }
        guard let text = String(validating: csv.starts(with: [0xEF, 0xBB, 0xBF]) ? csv.dropFirst(3) : csv, as: UTF8.self) else {
            throw problem("the table is not in UTF-8; save it in UTF-8")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { !$0.element.isEmpty }.map { (number: $0.offset + 1, fields: Self.fields($0.element)) }
        guard let columns = lines.first?.fields else { throw problem("the table is empty; its first line names the columns") }
        guard columns.contains("version") else {
            throw problem("there is no column \"version\"; the first line names the columns, such as version,os,count", line: 1)
        }
        for (index, column) in columns.enumerated() where column.isEmpty || columns[..<index].contains(column) {
            throw problem("column \(index + 1) has no name, or that of an earlier one; rename or remove it", line: 1)
        }
        var entries: [Entry] = []
        for (number, fields) in lines.dropFirst() {
            guard fields.count == columns.count else {
                throw problem(
                    "the line has \(fields.count) fields, and the heading has \(columns.count); give every line a field for each column",
                    line: number)
            }
            var entry = Entry()
            // Every client finds out these facts about itself.
            for name in AppFacts.namesOfEveryClient { entry.facts.values[name] = "unknown" }
            for (column, field) in zip(columns, fields) where !field.isEmpty {
                switch column {
                case _ where field.contains("\""):
                    throw problem("\(PlanWords.quoted(field)) has a quotation mark inside, or a comma; remove it", line: number)
                case "version": entry.facts.version = field
                case "osVersion": entry.facts.osVersion = field
                case "count":
                    guard let count = Int(field), (0...Self.countLimit).contains(count) else {
                        throw problem(
                            "the count \(PlanWords.quoted(field)) is not a whole number from 0 to 1,000,000,000", line: number)
                    }
                    entry.count = count
                default: entry.facts.values[column] = field
                }
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else { throw problem("the table has no line after its heading; add one for each kind of app") }
        (self.name, self.columns, self.entries) = (name, columns, entries)
        count = entries.reduce(0) { $0 + $1.count }
    }

    private static func fields(_ line: Substring) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { field in
            let field = field.trimmingCharacters(in: .whitespaces)
            return field.count > 1 && field.first == "\"" && field.last == "\"" ? String(field.dropFirst().dropLast()) : field
        }
    }
}

// MARK: Counting

extension Fleet {
    /// How many apps a document covers at a time. It is an estimate if a rule has a share: 10 % of 200 apps are 20.
    func covered(by document: StatusDocument, at time: Date) -> Int {
        let covered = entries.reduce(0.0) { $0 + Double($1.count) * Self.portion(of: document, covering: $1.facts, at: time) }
        return min(count, Int(covered.rounded()))
    }

    /// The part of the installations with these facts that a document covers, 0 to 1.
    private static func portion(of document: StatusDocument, covering facts: AppFacts, at time: Date) -> Double {
        if document.verdict(for: facts, at: time).stage.isBlocked { return 1 }
        // Draws are independent of each other. Of the shares with one draw the largest one contains all others.
        var largest: [String: Int] = [:]
        for rule in document.rules where rule.effect.stage != nil {
            for case .share(let share) in rule.only where rule.covers(facts, at: time, beside: share) {
                largest[share.draw] = max(largest[share.draw] ?? 0, share.hundredths)
            }
        }
        return 1 - largest.values.reduce(1) { $0 * (1 - Double($1) / 10_000) }
    }
}

extension Rule {
    /// Whether the rule covers an app that is in its share.
    fileprivate func covers(_ app: AppFacts, at time: Date, beside share: Share) -> Bool {
        let rest = only.filter { $0 != .share(share) }
        return StatusDocument([Rule(id: id, effect: effect, only: rest, except: except, from: from, until: until)])
            .verdict(for: app, at: time).stage.isBlocked
    }
}
