/// How much two names differ, to find the one that a person meant.
package enum EditDistance {
    /// Insertions, deletions, replacements and swaps of neighbours from one text to the other. Case does not count, and only
    /// the first 64 characters do.
    package static func between(_ left: String, _ right: String) -> Int {
        let a = Array(left.lowercased().prefix(64)), b = Array(right.lowercased().prefix(64))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    /// The name that a person probably meant; nil where none is near.
    package static func nearest(to text: String, among names: [String]) -> String? {
        let distances = names.map { ($0, between($0, text)) }
        guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) else { return nil }
        return best.0
    }
}
