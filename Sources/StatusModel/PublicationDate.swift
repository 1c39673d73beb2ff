import Foundation

/// The date of publication of a status, by the server's clock (`Bellerophon-Published`, `published`).
package enum PublicationDate: Equatable, Sendable {
    /// The server sent no date.
    case absent
    /// The field is present but contains no valid date: it is empty, repeated, negative or too long.
    case unreadable
    /// The server published the status at this time.
    case at(Date)

    /// The date; nil if it is absent or unreadable.
    package var date: Date? {
        if case .at(let date) = self { date } else { nil }
    }
}
