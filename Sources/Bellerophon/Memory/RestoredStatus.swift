import Foundation
import StatusModel

/// A status that was kept from an earlier run, or that ships with the app.
package struct RestoredStatus: Equatable, Sendable {
    /// Where the status is from.
    package enum Origin: Equatable, Sendable {
        /// An earlier run of the app.
        case lastRun
        /// The app itself.
        case bundled
    }

    /// The status.
    package var document: StatusDocument
    /// Where the status is from.
    package var origin = Origin.lastRun
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
