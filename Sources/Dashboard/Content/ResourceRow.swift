/// A resource as the Resources pane shows it. All text is sanitised.
package struct ResourceRow: Equatable, Sendable {
    /// Where the bytes in use are from.
    package enum Origin: String, Equatable, Sendable {
        /// They came with the program.
        case bundled
        /// An earlier run has fetched them.
        case cached
        /// This run has fetched them.
        case fresh
    }

    /// What is being done about it.
    package enum Activity: Equatable, Sendable {
        case idle
        /// The servers are asked whether there is a newer one.
        case checking
        /// A newer one is on its way: how much of it is here, 0…1; nil where nobody knows its size.
        case receiving(Double?)
        /// The last try has failed; what was there is kept. The text is for one line.
        case problem(String)
    }

    package let name: String
    /// Nil where there is none yet.
    package var version: String?
    package var origin: Origin?
    /// Bytes.
    package var size: Int?
    /// Hexadecimal.
    package var digest: String?
    package var activity: Activity

    package init(
        _ name: String, version: String? = nil, origin: Origin? = nil, size: Int? = nil, digest: String? = nil,
        activity: Activity = .idle
    ) {
        self.name = name
        self.version = version
        self.origin = origin
        self.size = size
        self.digest = digest
        self.activity = activity
    }

    var hasProblem: Bool {
        if case .problem = activity { true } else { false }
    }
}
