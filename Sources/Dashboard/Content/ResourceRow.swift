import CloudBox

/// A resource as the Resources pane shows it. All text is sanitised.
package struct ResourceRow: Equatable, Sendable {
    /// The state of a resource's update.
    package enum Activity: Equatable, Sendable {
        case idle
        /// The servers are being asked for a newer version.
        case checking
        /// A newer version is being received; the fraction received, 0…1, or nil if the size is unknown.
        case receiving(Double?)
        /// The last attempt failed and the current version is kept. The text fits in one line.
        case problem(String)
    }

    package let name: String
    /// Nil if no version is available.
    package var version: String?
    package var origin: ResourceFacts.Origin?
    /// In bytes.
    package var size: Int?
    /// Hexadecimal.
    package var digest: String?
    package var activity = Activity.idle

    var hasProblem: Bool {
        if case .problem = activity { true } else { false }
    }
}
