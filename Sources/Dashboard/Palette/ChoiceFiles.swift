/// The files that keep what a person chooses. A choice without a file lasts until the program ends.
package struct ChoiceFiles: Equatable, Sendable {
    /// The configuration, which only the person changes.
    package var configuration: String?
    package var bookmarks: String?
    /// The responses of the simulated server.
    package var selections: String?

    package init(configuration: String? = nil, bookmarks: String? = nil, selections: String? = nil) {
        (self.configuration, self.bookmarks, self.selections) = (configuration, bookmarks, selections)
    }

    private static let thisRun = "for this run only"

    static func place(_ file: String?) -> String { file.map { "kept in \($0)" } ?? thisRun }

    /// Where a setting that was chosen is kept: the configuration keeps it once the person has written it there.
    func place(ofSetting name: String) -> String {
        configuration.map { "\(Self.thisRun); to keep it, set \(name) in \($0)" } ?? Self.thisRun
    }
}
