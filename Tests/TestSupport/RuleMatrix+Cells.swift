package import Bellerophon
package import Foundation

// What the words of a table say, read without the code that has made them.

extension RuleMatrix {
    /// The cell that an app finds by the words of the table.
    package func cell(of app: AppFacts, at time: Date?) -> Cell? {
        let version = app.version.flatMap(AppVersion.init)
        guard let row = rows.first(where: { $0.versions.contains(version) }),
            let column = times.firstIndex(where: { $0.contains(time) })
        else { return nil }
        let lines = row.lines.filter { line in
            line.cases.contains { one in zip(facts, one).allSatisfy { fact, indices in indices.contains(fact.index(for: app)) } }
        }
        return lines.count == 1 ? lines[0].cells[column] : nil
    }
}

extension RuleMatrix.Band {
    /// Whether a version is in the part of the versions.
    package func contains(_ version: AppVersion?) -> Bool {
        switch self {
        case .every: return true
        case .unknown: return version == nil
        case .given: return false
        case .range(let from, let to):
            guard let version else { return false }
            func isAfter(_ edge: Edge) -> Bool {
                guard let bound = AppVersion(edge.version) else { return false }
                return edge.isAbove ? version > bound : version >= bound
            }
            return (from.map(isAfter) ?? true) && !(to.map(isAfter) ?? false)
        }
    }
}

extension RuleMatrix.Span {
    /// Whether a time is in the span. One that is not known is before all others.
    package func contains(_ time: Date?) -> Bool {
        guard case .between(let from, let until) = self else { return false }
        guard let time else { return from == nil }
        return (from.map { $0 <= time } ?? true) && (until.map { time < $0 } ?? true)
    }
}

extension RuleMatrix.Fact {
    /// The group that an app belongs to, found by the words.
    package func index(for app: AppFacts) -> Int {
        let last = values.count - 1
        if let value = app.values[name] {
            return values.firstIndex { $0.split(separator: " or ").map(String.init).contains(value) }
                ?? values.firstIndex(of: "any other") ?? last
        }
        guard name.hasPrefix("share of ") else { return osVersionIndex(app.osVersion.flatMap(AppVersion.init)) ?? last }
        guard let id = app.installID else { return last }
        // The rules draw by their own ids.
        return Share.number(of: id, draw: String(name.dropFirst("share of ".count))).map(shareIndex) ?? last
    }

    /// The group of a version of the system; nil if this fact is another one or the version is not known.
    package func osVersionIndex(_ version: AppVersion?) -> Int? {
        guard name == "osVersion", let version else { return nil }
        return values.firstIndex { label in
            let words = label.split(separator: " ").map(String.init)
            func bound(_ index: Int) -> AppVersion { AppVersion(words[index]) ?? version }
            switch words.count {
            case 1: return label != "unknown" && version == bound(0)
            case 2 where words[0] == "below": return version < bound(1)
            case 2: return version > bound(1)
            case 3 where words[1] == "or": return version >= bound(0)
            case 4: return version >= bound(0) && version < bound(3)
            case 5: return version > bound(1) && version < bound(4)
            default: return true
            }
        }
    }

    private func shareIndex(_ number: Int) -> Int {
        values.firstIndex { label in
            let percents = label.matches(of: /(inside|outside) (\d+)%/).map { ($0.output.1, Int($0.output.2) ?? 0) }
            return percents.allSatisfy { word, percent in (number < percent * 100) == (word == "inside") }
        } ?? values.count - 1
    }
}
