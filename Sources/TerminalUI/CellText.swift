/// Text cut into what a terminal's cells can hold.
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

    // SKELETON: replaced by the display-width table.
    public static func clusters(of text: String) -> [Cluster] {
        text.unicodeScalars.filter { $0.value >= 0x20 }.map { Cluster(text: String($0), width: 1) }
    }

    /// The columns that a line of text takes.
    public static func width(of text: String) -> Int {
        clusters(of: text).reduce(0) { $0 + $1.width }
    }
}
