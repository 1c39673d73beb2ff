import Foundation
package import StatusModel

/// The app's name, version and update information.
public struct AppInfo: Equatable, Sendable {
    /// The app's name.
    public var name: String
    /// The installed version; nil if not known.
    public var version: String?
    /// What the version was taken from, such as `dpkg-query`; nil if the app has stated it.
    package var versionOrigin: String?
    /// The `http` or `https` address of a newer version, if the status names none.
    public var link: String?
    /// How the app is updated. It comes from the app or its configuration, never from a status.
    public var update = UpdateOptions()
    /// The shell command that updates the app, in place of its source's own; see ``UpdateOptions/command``.
    public var updateCommand: String? {
        get { update.command }
        set { update.command = newValue }
    }
    /// What happens to the program while a view covers it, for the person: "Notes keeps what you have written."
    ///
    /// One or two short sentences of at most 200 characters; a small terminal shows the beginning. nil: the views say that the
    /// program is still running underneath. A guard ignores it, because it knows what it does to its program.
    public var whileCovered: String?
    /// Whether ending the program may lose work of the person. The question before it then says so. Default: true.
    public var mayLoseWork = true

    /// What the rules of a status may ask beside the version, by name: `region`, `site`, or one of the names that are found out,
    /// which a value here replaces: `os`, `arch`, `ci`, `terminal`, `source`.
    ///
    /// A value for `osVersion` replaces the version of the operating system. Values are compared as they are, and are never sent
    /// anywhere. A rule can ask for names of up to 64 bytes and values of up to 256 bytes.
    public var facts: [String: String] = [:]
    /// The text that decides whether this installation belongs to the share of a rule; nil: the one that is kept in the state folder.
    ///
    /// 1 to 128 bytes without control characters. With any other text the installation has no ID, and only a share of 100 %
    /// contains it.
    public var installID: String?

    /// Creates the information about an app.
    public init(name: String, version: String? = nil, link: String? = nil, updateCommand: String? = nil) {
        self.name = name
        self.version = version
        self.link = link
        update.command = updateCommand
    }

    /// What a verdict on a status may depend on: what the app says of itself, then what was found out.
    /// - Parameters:
    ///   - machine: what was found out; by default that of this process.
    ///   - store: where the ID of the installation is kept, if the app gives none. It is read, and made in the first run.
    package func appFacts(_ machine: MachineFacts = .complete, keptIn store: (any StatusStore)? = nil) -> AppFacts {
        var values = machine.values.merging(facts) { _, own in own }
        // The version of another system than this one is not known.
        let ownVersion = values.removeValue(forKey: "osVersion")
        let osVersion = ownVersion ?? (values["os"] == machine.os ? machine.osVersion : nil)
        let id = installID.map { InstallationID.isValid($0) ? $0 : nil } ?? store?.installationID
        return AppFacts(version: version, osVersion: osVersion, installID: id, values: values)
    }

    /// What a verdict on a status may depend on, without an ID that is kept.
    package var appFacts: AppFacts { appFacts() }

    /// What a status says, with the app's own link if the status has none.
    /// - Parameters:
    ///   - verdict: what the status means now. A rule that covers the app says something of its own.
    ///   - languages: what the person reads. Without a language the default message applies.
    package func statusFacts(
        _ document: StatusDocument?, _ verdict: Verdict? = nil, languages: LanguagePreference = LanguagePreference([])
    ) -> StatusFacts {
        var facts = document.map { verdict?.facts(of: $0, message: languages.text) ?? $0.facts } ?? StatusFacts()
        if facts[.link] == nil { facts[.link] = link }
        return facts
    }

    /// The name of the running process, without further information.
    public static var current: AppInfo { AppInfo(name: ProcessInfo.processInfo.processName) }
}
