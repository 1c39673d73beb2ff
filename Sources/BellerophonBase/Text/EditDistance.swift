/// The difference between two names, to suggest the intended one.
package enum EditDistance {
    /// The number of insertions, deletions, replacements and swaps of neighbours between two texts. Case is ignored, and only
    /// the first 64 characters are compared.
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

    /// The most similar name; nil if none is similar enough.
    package static func nearest(to text: String, among names: [String]) -> String? {
        let distances = names.map { ($0, between($0, text)) }
        guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) else { return nil }
        return best.0
    }

    /// The end of a message that refuses a name: the most similar one, or all if none is similar: `; did you mean "dark"?`.
    package static func suggestion(for text: String, among names: [String]) -> String {
        if let nearest = nearest(to: text, among: names) { return "; did you mean \"\(nearest)\"?" }
        return "; choose one of " + names.joined(separator: ", ")
    }
}
