/// One channel of one app, to which a status applies.
///
/// The channel `main` is the app itself: a status that stops it stops every channel. The app `default` always exists.
package struct Scope: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    package let app: String
    package let channel: String

    package static let defaultApp = "default"
    package static let mainChannel = "main"
    package static let main = Scope(checkedApp: defaultApp, channel: mainChannel)

    /// - Parameters: names of 1 to 64 of `a-z 0-9 . _ -`, the first a letter or a digit.
    package init(app: String = Scope.defaultApp, channel: String = Scope.mainChannel) throws(StoreError) {
        try StoreText.checkName(app, of: "an app")
        try StoreText.checkName(channel, of: "a channel")
        self.init(checkedApp: app, channel: channel)
    }

    /// For names that were validated before, such as those of the journal.
    init(checkedApp app: String, channel: String) {
        self.app = app
        self.channel = channel
    }

    /// Whether this is the app itself.
    package var isMain: Bool { channel == Self.mainChannel }

    /// The scope of the app itself.
    package var wholeApp: Scope { Scope(checkedApp: app, channel: Self.mainChannel) }

    /// The path of the status on a server.
    package var statusPath: String { path("status") }

    /// The path of the stream on a server.
    package var eventsPath: String { path("events") }

    private func path(_ end: String) -> String {
        if !isMain { return "/v1/apps/\(app)/channels/\(channel)/\(end)" }
        return app == Self.defaultApp ? "/\(end)" : "/v1/apps/\(app)/\(end)"
    }

    package static func < (left: Scope, right: Scope) -> Bool {
        (left.app, left.isMain ? "" : left.channel) < (right.app, right.isMain ? "" : right.channel)
    }

    package var description: String { "\(app)/\(channel)" }
}
