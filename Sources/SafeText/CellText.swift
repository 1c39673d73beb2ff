/// Text cut into what a terminal's cells can hold.
///
/// Widths agree with `wcwidth()`, and so with ncurses and with what terminals do: East Asian wide and fullwidth
/// characters take two columns, ambiguous ones take one.
public enum CellText {
    /// A spacing scalar with the marks that combine onto it, and the columns it takes (1 or 2).
    public struct Cluster: Equatable, Sendable {
        public let text: String
        public let width: Int

        public init(text: String, width: Int) {
            self.text = text
            self.width = width
        }
    }

    /// Marks in one cell beyond which the rest is not drawn. ncurses keeps as many.
    static let marksPerCell = 4

    /// The cells of a line of text, left to right.
    ///
    /// Control characters, joiners and variation selectors take no cell. Of an emoji sequence the first emoji is
    /// drawn. A mark with nothing before it stands on a dotted circle; unknown characters show as U+FFFD.
    public static func clusters(of text: String) -> [Cluster] {
        var clusters: [Cluster] = []
        clusters.reserveCapacity(text.utf8.count)
        forEachCluster(of: text) { cluster in
            clusters.append(cluster)
            return true
        }
        return clusters
    }

    /// The columns that a line of text takes.
    public static func width(of text: String) -> Int {
        var isPlain = true
        for byte in text.utf8 where !(0x20..<0x7F).contains(byte) {
            isPlain = false
            break
        }
        if isPlain { return text.utf8.count }
        var width = 0
        forEachCluster(of: text) { cluster in
            width += cluster.width
            return true
        }
        return width
    }

    /// Hands over one cell's text after the other until the body answers false.
    package static func forEachCluster(of text: String, _ body: (Cluster) -> Bool) {
        var builder = ClusterBuilder()
        for scalar in text.unicodeScalars {
            if let cluster = builder.take(scalar), !body(cluster) { return }
        }
        if let cluster = builder.finish() { _ = body(cluster) }
    }
}

/// Joins scalars into cells, one scalar at a time.
private struct ClusterBuilder {
    private var base: Unicode.Scalar = " "
    /// Columns of the cell that is being built; 0 before the first.
    private var width = 0
    private var marks: [Unicode.Scalar] = []
    private var followsEmoji = false
    private var followsJoiner = false

    /// Takes the next scalar and returns the cell that it completes, which is the one before it.
    mutating func take(_ scalar: Unicode.Scalar) -> CellText.Cluster? {
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

    /// Whether the scalar belongs to the emoji before it, as a skin tone or as what a joiner adds.
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
