import ArgumentParser
import Bellerophon
import Foundation

/// The flags that say what is known of a client, for commands that tell what a status means for it.
///
/// Without `--this-machine` nothing of this machine is among the facts, because they are of somebody else's client.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The client's installed version.", discussion: "Default: not known.", valueName: "version"))
    var appVersion: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The version of the client's operating system.", discussion: "Default: not known.", valueName: "version"))
    var osVersion: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A fact of the client that rules ask for, such as os=linux.",
            discussion: "May be given several times. A fact that is not given is not known.",
            valueName: "name=value"),
        completion: .list(["arch=arm64", "arch=x86_64", "ci=false", "ci=true", "os=linux", "os=macos"]))
    var fact: [String] = []

    @Option(
        name: [.customLong("id"), .customLong("install-id")],
        help: ArgumentHelp(
            "The text that decides whether the client belongs to the share of a rule.",
            discussion: "1 to 128 bytes. Default: none, so that only a share of 100% contains it.", valueName: "text"))
    var id: String?

    @Flag(
        name: .long,
        help: "Take the facts of this machine that no other flag gives: os, osVersion, arch, ci, terminal and source.")
    var thisMachine = false

    /// The facts of the client.
    /// - Throws: `ValidationError` that names what a flag takes.
    func facts() throws -> AppFacts {
        var app = AppInfo(name: "", version: try Self.version(appVersion, "--app-version"))
        app.facts[Self.osVersionName] = try Self.version(osVersion, "--os-version")
        for text in fact {
            let (name, value) = try Self.fact(text)
            guard osVersion == nil || name != Self.osVersionName else {
                throw ValidationError("give --os-version or --fact osVersion, not both")
            }
            guard app.facts.updateValue(value, forKey: name) == nil else {
                throw ValidationError("--fact: \(name) is given twice; a client has one value of each fact")
            }
        }
        if let id {
            guard (1...128).contains(id.utf8.count) else {
                throw ValidationError("--id: expected 1 to 128 bytes, found \(id.utf8.count)")
            }
            app.installID = id
        }
        if thisMachine { return app.appFacts() }
        let osVersion = app.facts.removeValue(forKey: Self.osVersionName)
        return AppFacts(version: app.version, osVersion: osVersion, installID: app.installID, values: app.facts)
    }

    /// The version of the system may be stated like the other facts.
    private static let osVersionName = "osVersion"

    /// An empty text is the unset variable of a script.
    private static func version(_ text: String?, _ flag: String) throws -> String? {
        guard text?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("\(flag): expected a version such as 1.4.0; leave the flag out if the version is not known")
        }
        return text
    }

    private static func fact(_ text: String) throws -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), parts[1].utf8.count <= 256 else {
            throw ValidationError(
                "--fact: expected NAME=VALUE such as os=linux, a name of 1 to 64 bytes and a value of at most 256; found \"\(text)\""
            )
        }
        return (parts[0], parts[1])
    }

    /// The time of a flag `--at`; nil if it is not given.
    static func time(_ text: String?) throws -> Date? {
        guard let text else { return nil }
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw ValidationError("--at: expected a time such as 2026-01-31T14:02:11Z; found \"\(text)\"")
        }
        return date
    }
}
