import Foundation
import StatusModel

/// An update that does not end the need to update: an app that has the required version is covered by an update again.
struct UpdateLoop: Equatable {
    /// What requires the updates one after another: ids of rules, or `forceUpdate`.
    let path: [String]
    /// What happens, as a sentence.
    let text: String

    /// The most loops that are named.
    static let limit = 8

    /// Finds the loops of a document, evaluated against the whole document at every time from now on.
    static func all(in document: StatusDocument, from now: Date) -> [UpdateLoop] {
        var search = Search(document)
        search.run(from: now)
        return search.loops
    }

    private struct Search {
        let document: StatusDocument
        let matrix: RuleMatrix
        /// The versions that updates lead to, by the name of what requires them.
        let targets: [String: String]
        private var tables: [String: [RuleMatrix.Line]] = [:]
        private(set) var loops: [UpdateLoop] = []
        private var known: Set<Set<String>> = []

        init(_ document: StatusDocument) {
            self.document = document
            matrix = RuleMatrix(document)
            var targets: [String: String] = [:]
            for rule in document.rules where rule.effect == .update { targets[rule.id] = rule.version }
            if document.requiresUpdate, let required = document.requiredVersion, AppVersion(required) != nil {
                targets["forceUpdate"] = required
            }
            self.targets = targets
        }

        mutating func run(from now: Date) {
            for (column, span) in matrix.times.enumerated() where span.reaches(beyond: now) {
                for line in matrix.rows.flatMap(\.lines) where line.cells[column].stage == .updateRequired {
                    guard loops.count < UpdateLoop.limit, let by = line.cells[column].by, targets[by] != nil else { continue }
                    follow([by], line.cases, column)
                }
            }
        }

        /// Follows the last update of the path to the version that it requires.
        private mutating func follow(_ path: [String], _ cases: [[[Int]]], _ column: Int) {
            guard let by = path.last, let to = targets[by] else { return add(path) }
            var isEnd = true
            for line in lines(of: to) {
                let common = Self.common(cases, line.cases)
                guard !common.isEmpty, line.cells[column].stage == .updateRequired, let next = line.cells[column].by else {
                    continue
                }
                // A flag without a version requires an update of every version, on purpose.
                if next == "forceUpdate", targets[next] == nil { continue }
                isEnd = false
                if let place = path.firstIndex(of: next) {
                    add(Array(path[place...]) + [next])
                } else {
                    follow(path + [next], common, column)
                }
            }
            if isEnd, path.count > 1 { add(path) }
        }

        /// The lines of the apps that have a version.
        private mutating func lines(of version: String) -> [RuleMatrix.Line] {
            if let lines = tables[version] { return lines }
            let lines = RuleMatrix(document, .init(facts: AppFacts(version: version))).rows.flatMap(\.lines)
            tables[version] = lines
            return lines
        }

        /// The combinations of facts that are in both lists.
        private static func common(_ some: [[[Int]]], _ others: [[[Int]]]) -> [[[Int]]] {
            some.flatMap { one in
                others.compactMap { other in
                    let both = zip(one, other).map { first, second in first.filter(second.contains) }
                    return both.contains([]) ? nil : both
                }
            }
        }

        private mutating func add(_ path: [String]) {
            guard loops.count < UpdateLoop.limit, known.insert(Set(path)).inserted else { return }
            loops.append(UpdateLoop(path: path, text: sentence(path)))
        }

        private func sentence(_ path: [String]) -> String {
            if path.count == 2, path[0] == path[1], let to = targets[path[0]] {
                return "The update requires \(to) and covers \(to) itself, so that an app is never finished."
            }
            func step(_ name: String) -> String { targets[name].map { "\(name) to \($0)" } ?? "\(name) to no version" }
            let chain = path.map(step).joined(separator: ", then by ")
            return path.first == path.last
                ? "The updates go round in a circle: an app must update by \(chain)."
                : "An app that has been updated must update again: by \(chain)."
        }
    }
}
