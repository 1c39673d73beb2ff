package import Foundation
package import StatusModel

/// What a status requires of an app's version.
package struct UpdateRequirement: Equatable, Sendable {
    /// The version to have, for display; nil if the status names none.
    package let version: String?
    /// What requires it: `forceUpdate` or the id of a rule.
    package let by: String
    /// From when on it is required, as the status says it; nil if the status does not.
    package let since: Date?
    /// The app that must be updated. Its version is that of the running program.
    package let app: AppFacts
    private let document: StatusDocument
    private let date: Date?

    init(_ update: Verdict.Restriction, of document: StatusDocument, app: AppFacts, at date: Date?) {
        version = update.requiredVersion
        by = update.by
        since = update.rule?.from
        (self.document, self.app, self.date) = (document, app, date)
    }

    /// Whether an app of a version needs no update. A status that names no version is met by every higher version than the running one.
    package func isMet(by version: String) -> Bool {
        guard let candidate = AppVersion(version) else { return false }
        var other = app
        other.version = version
        guard let update = document.verdict(for: other, at: date).requiredUpdate else { return true }
        // A flag without a version covers every version, so its document can't tell.
        guard update.by == by, update.rule == nil, self.version == nil else { return false }
        return app.version.flatMap(AppVersion.init).map { candidate > $0 } ?? true
    }

    /// The time until a date, some time after the evaluation; nil if the date is over, or if the time is not known.
    package func timeLeft(until end: Date, after age: Duration) -> Duration? {
        guard let date else { return nil }
        let left = Duration.seconds(end.timeIntervalSince(date)) - age
        return left > .zero ? left : nil
    }

    /// Whether the version to have is older than the running one.
    package var goesBack: Bool {
        guard let wanted = version.flatMap(AppVersion.init), let own = app.version.flatMap(AppVersion.init) else { return false }
        return wanted < own
    }

    /// Whether two versions are the same for rules: `1.5` and `1.5.0`.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        guard let first = AppVersion(one), let second = AppVersion(other) else { return one == other }
        return first == second
    }

    /// The time of the evaluation does not count: it changes all the time.
    package static func == (one: UpdateRequirement, two: UpdateRequirement) -> Bool {
        one.version == two.version && one.by == two.by && one.since == two.since && one.app == two.app
            && one.document == two.document
    }
}
