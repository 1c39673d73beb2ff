public import Foundation

/// What a status means for one app at one time.
public struct Verdict: Equatable, Sendable {
    /// A part of the document that restricts the app.
    public struct Restriction: Equatable, Sendable {
        /// The stage that it requires: ``Stage/killed`` or ``Stage/updateRequired``.
        public let stage: Stage
        /// Its name in the document, such as `forceUpdate`.
        public let by: String
        /// Why it applies to the app, in words: "forceUpdate is true".
        public let because: String
    }

    /// Everything that restricts the app now. The first restriction takes precedence over the others.
    public let restrictions: [Restriction]
    /// When the meaning changes although the document stays the same; nil if it does not. No field of today's documents
    /// depends on the time.
    public let next: Date?

    /// The stage that results.
    public var stage: Stage { restrictions.first?.stage ?? .active }

    /// The reason for ``stage``, as a clause: "forceUpdate is true, which takes precedence over apiInactive".
    package var reason: String {
        guard let first = restrictions.first else { return "apiInactive and forceUpdate are false" }
        return first.because + (restrictions.dropFirst().first.map { ", which takes precedence over \($0.by)" } ?? "")
    }
}

extension StatusDocument {
    /// What the document means for an app at a time. The only place that decides it.
    ///
    /// The flags of today's documents apply to every app at any time; `forceUpdate` takes precedence over `apiInactive`.
    /// - Parameters:
    ///   - app: what is known of the app.
    ///   - time: the current time of the server, as far as the caller knows it; nil if it is not known.
    public func verdict(for app: AppFacts, at time: Date?) -> Verdict {
        var restrictions: [Verdict.Restriction] = []
        if requiresUpdate {
            restrictions.append(.init(stage: .updateRequired, by: "forceUpdate", because: "forceUpdate is true"))
        }
        if isInactive { restrictions.append(.init(stage: .killed, by: "apiInactive", because: "apiInactive is true")) }
        return Verdict(restrictions: restrictions, next: nil)
    }
}
