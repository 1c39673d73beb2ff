import Foundation
import StatusModel

/// A status that was kept from an earlier run, or that ships with the app.
package struct RestoredStatus: Equatable, Sendable {
    /// The status.
    package var document: StatusDocument
    /// Whether the status ships with the app. Otherwise it is from an earlier run.
    package var isBundled = false
    /// The time since the server confirmed the status; not negative.
    package var age = Duration.zero
    /// The verified claims of the signature; nil if the status is unsigned.
    package var proof: StatusProof?
    /// When the server published the status, by the server's clock; nil if unknown.
    package var publishedAt: Date?
    /// The latest earlier publication date that was accepted.
    var previousDate: Date?
    /// Whether the status has no date itself; ``publishedAt`` is then the date of the status that it replaced.
    var isUndated = false
    /// The time by which the phases of rules were decided last; nil if unknown.
    var planDate: Date?
    /// Whether a server's `Date` has confirmed ``planDate``.
    var isPlanDateConfirmed = false
    /// The wall-clock time at the restore, never earlier than in an earlier run; nil if unknown.
    var localDate: Date?

    /// Whether the status is as recent as that of a program that runs: its next check would not be due yet.
    package func isRecent(_ policy: PollPolicy) -> Bool { age <= policy.clamp(seconds: document.interval).wait }
}
