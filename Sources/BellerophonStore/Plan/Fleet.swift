import Foundation
import StatusModel

/// The apps that an operator knows of, as a table: what rules would do is counted in it before they are published.
///
/// ```csv
/// version,os,ci,count
/// 1.4.0,linux,false,1204
/// 1.5.2,macos,false,8829
/// ```
/// The columns `version`, `osVersion`, `id` (of the installation) and `count` (1 if absent) have a meaning of their own. Every
/// other column is a fact. An empty field is a fact that is not known.
package struct Fleet: Sendable {
    /// Apps with the same facts.
    package struct Entry: Equatable, Sendable {
        package let facts: AppFacts
        package let count: Int
    }

    /// The name of the table, such as `fleet.csv`, for sentences.
    package let name: String
    /// The names of all columns, in their order.
    package let columns: [String]
    package let entries: [Entry]
    /// The number of apps.
    package let count: Int

    /// The most bytes of a table.
    package static let sizeLimit = 16 * 1024 * 1024
    /// The most lines of a table, without its heading.
    package static let lineLimit = 100_000
    /// The most apps of a line.
    package static let countLimit = 1_000_000_000

    init(name: String, columns: [String], entries: [Entry]) {
        (self.name, self.columns, self.entries) = (name, columns, entries)
        count = entries.reduce(0) { $0 + $1.count }
    }
}

/// Why a fleet can't be read.
package struct FleetError: Error, Equatable, CustomStringConvertible {
    /// The name of the table.
    package let name: String
    /// The line, from 1 on; nil for the table as a whole.
    package let line: Int?
    /// What is wrong, and what to do.
    package let problem: String

    package var description: String { name + (line.map { ", line \($0)" } ?? "") + ": \(problem)" }
}
