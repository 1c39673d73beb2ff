public import Foundation
import StatusModel

/// A status that was kept from an earlier run, or that ships with the app.
public struct RestoredStatus: Equatable, Sendable {
    public enum Origin: Equatable, Sendable { case lastRun, bundled }

    public var document: StatusDocument
    public var origin: Origin
    /// Since the server confirmed it.
    public var age: Duration
    public var proof: StatusProof?
    /// When the server published it, by the server's clock, where it said so.
    public var publishedAt: Date?
    /// The latest date before that which counted.
    var previousDate: Date?
    /// Whether it has no date itself: ``publishedAt`` is that of the status that it replaced.
    var isUndated = false

    public init(
        _ document: StatusDocument, origin: Origin = .lastRun, age: Duration = .zero, proof: StatusProof? = nil,
        publishedAt: Date? = nil
    ) {
        self.document = document
        self.origin = origin
        self.age = max(age, .zero)
        self.proof = proof
        self.publishedAt = publishedAt
    }
}
