import Foundation

/// The place of an unsigned status in the order of publication.
///
/// A dated status has the place of its date. An undated status that has replaced a dated one stands right behind it. An undated
/// status without a dated one before it comes first.
struct PublicationRank: Comparable, Sendable {
    /// The publication date of the status, or of the dated status that it has replaced; nil if there is neither.
    let date: Date?
    /// Whether the status has no date itself.
    let isUndated: Bool

    static func < (one: PublicationRank, other: PublicationRank) -> Bool {
        let (date, otherDate) = (one.date ?? .distantPast, other.date ?? .distantPast)
        return date == otherDate ? !one.isUndated && other.isUndated : date < otherDate
    }
}
