/// Splits text into terminal cells and measures it.
///
/// Widths agree with `wcwidth()` and ncurses: East Asian wide and fullwidth characters take two columns, ambiguous
/// characters take one.
public enum CellText {
    /// A spacing scalar with its combining marks, and its width.
    package struct Cluster: Equatable, Sendable {
        /// The scalar with its marks.
        package let text: String
        /// The width in columns, 1 or 2.
        package let width: Int
    }

    /// The most marks that are kept in one cell; ncurses has the same limit.
    static let marksPerCell = 4

    /// The cells of a line of text, left to right.
    ///
    /// Control characters, joiners and variation selectors take no cell. Only the first emoji of an emoji sequence is
    /// kept. A mark without a base is placed on a dotted circle (U+25CC); unknown characters become U+FFFD.
    package static func clusters(of text: String) -> [Cluster] {
        var clusters: [Cluster] = []
        clusters.reserveCapacity(text.utf8.count)
        forEachCluster(of: text) { cluster in
            clusters.append(cluster)
            return true
        }
        return clusters
    }

    /// The width of a line of text in columns.
    public static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        var width = 0
        forEachCluster(of: text) { cluster in
            width += cluster.width
            return true
        }
        return width
    }

    /// The columns that a terminal advances by for a scalar, as `wcwidth()` has them: 0, 1 or 2.
    ///
    /// Combining marks, joiners and variation selectors have none. An unassigned scalar counts as one column.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        switch WidthTable.kind(of: scalar) {
        case .wide: 2
        case .mark: 0
        // The soft hyphen is visible on terminals.
        case .dropped: scalar == "\u{AD}" ? 1 : 0
        case .narrow, .unknown: 1
        }
    }

    /// Calls the body with one cell after the other until it returns false.
    package static func forEachCluster(of text: String, _ body: (Cluster) -> Bool) {
        var builder = ClusterBuilder()
        for scalar in text.unicodeScalars {
            if let cluster = builder.add(scalar), !body(cluster) { return }
        }
        if let cluster = builder.finish() { _ = body(cluster) }
    }
}

/// Combines scalars into cells, one scalar at a time.
private struct ClusterBuilder {
    private var base: Unicode.Scalar = " "
    /// The width of the current cell in columns; 0 before the first cell.
    private var width = 0
    private var marks: [Unicode.Scalar] = []
    private var followsEmoji = false
    private var followsJoiner = false

    /// Adds a scalar; returns the previous cell if the scalar begins a new one.
    mutating func add(_ scalar: Unicode.Scalar) -> CellText.Cluster? {
        switch WidthTable.kind(of: scalar) {
        case .narrow: return begin(scalar, width: 1)
        case .wide: return continuesEmoji(scalar) ? nil : begin(scalar, width: 2)
        case .unknown: return begin("\u{FFFD}", width: 1)
        case .mark: return combine(scalar)
        case .dropped:
            followsJoiner = scalar.value == 0x200D
            return nil
        }
    }

    mutating func finish() -> CellText.Cluster? {
        guard width > 0 else { return nil }
        var text = String(base)
        if !marks.isEmpty {
            text.unicodeScalars.append(contentsOf: marks)
            marks.removeAll(keepingCapacity: true)
        }
        return CellText.Cluster(text: text, width: width)
    }

    private mutating func begin(_ scalar: Unicode.Scalar, width: Int) -> CellText.Cluster? {
        if followsJoiner, continuesEmoji(scalar) { return nil }
        let finished = finish()
        base = scalar
        self.width = width
        followsEmoji = scalar.isEmojiBase
        followsJoiner = false
        return finished
    }

    /// Whether the scalar continues the current emoji, as a skin tone or after a joiner.
    private mutating func continuesEmoji(_ scalar: Unicode.Scalar) -> Bool {
        guard followsEmoji else { return false }
        if scalar.isEmojiModifier { return true }
        guard followsJoiner, scalar.isEmojiBase else { return false }
        followsJoiner = false
        return true
    }

    private mutating func combine(_ mark: Unicode.Scalar) -> CellText.Cluster? {
        followsJoiner = false
        if width == 0 { _ = begin("\u{25CC}", width: 1) }
        if marks.count < CellText.marksPerCell { marks.append(mark) }
        return nil
    }
}
