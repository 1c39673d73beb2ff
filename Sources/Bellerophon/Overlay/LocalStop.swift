package import Foundation

/// A stop of a guarded program that somebody on this machine has asked for, without a server.
package struct LocalStop: Equatable, Sendable {
    /// The name of the user who has asked for it.
    package var author: String
    /// Whether a process of the guarded program itself has asked for it.
    package var isFromInside: Bool
    /// The reason that was given, sanitized and without line breaks; nil without one.
    package var reason: String?
    /// When it began, by the wall clock.
    package var since: Date
    /// The command that releases it.
    package var release: String

    package init(author: String, isFromInside: Bool = false, reason: String? = nil, since: Date, release: String) {
        self.author = author
        self.isFromInside = isFromInside
        self.reason = reason
        self.since = since
        self.release = release
    }
}

extension OverlayContent {
    /// Whether only the stop on this machine covers the program: the service does not block it.
    package var isStoppedLocally: Bool { localStop != nil && !stage.isBlocked }
}
