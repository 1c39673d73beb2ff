/// What a simulated app says of itself from now on. What is left out stays as it is.
package struct ClientChange: Equatable, Sendable {
    /// A fact of the app.
    package enum Fact: Equatable, Sendable {
        case known(String)
        /// The app does not know it, or it has none.
        case unknown

        /// The text; nil if it is not known.
        package var text: String? {
            if case .known(let text) = self { text } else { nil }
        }
    }

    /// The installed version.
    package var version: Fact?
    /// The version of the operating system.
    package var osVersion: Fact?
    /// The id that decides to which shares the installation belongs.
    package var installID: Fact?
    /// The other facts, by name.
    package var facts: [String: Fact]

    package init(version: Fact? = nil, osVersion: Fact? = nil, installID: Fact? = nil, facts: [String: Fact] = [:]) {
        (self.version, self.osVersion, self.installID, self.facts) = (version, osVersion, installID, facts)
    }

    /// Whether it changes nothing.
    package var isEmpty: Bool { self == ClientChange() }

    /// Adds a later change.
    package mutating func merge(_ later: ClientChange) {
        version = later.version ?? version
        osVersion = later.osVersion ?? osVersion
        installID = later.installID ?? installID
        facts.merge(later.facts) { _, later in later }
    }

    /// The most bytes of a version or an id.
    package static let textLimit = 128
    /// The most bytes of the name of a fact, of its value, and the most facts.
    package static let (nameLimit, valueLimit, factLimit) = (64, 256, 32)
}

/// Who a simulated app is, and what time it is: what a scenario file states beside the replies.
package struct ScenarioSetting: Equatable, Sendable {
    /// What the app says of itself.
    package var client: ClientChange
    /// The time; nil to let it go on.
    package var time: SimulatedTime?

    package init(client: ClientChange = ClientChange(), time: SimulatedTime? = nil) {
        (self.client, self.time) = (client, time)
    }

    /// Whether it states nothing.
    package var isEmpty: Bool { self == ScenarioSetting() }
}
