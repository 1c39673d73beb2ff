public import Foundation

/// When the server published a status, by the server's clock (`Bellerophon-Published`, `published`).
public enum PublicationDate: Equatable, Sendable {
    /// The server doesn't say.
    case absent
    /// The field is present and holds no date: it is empty, repeated, negative or too long.
    case unreadable
    case at(Date)

    /// The date; nil where there is none or it can't be read.
    public var date: Date? {
        if case .at(let date) = self { date } else { nil }
    }
}
