import Bellerophon

/// One row of the table of sources: what a package manager is asked, and which commands it has.
///
/// The closures that make commands are pure. Those that ask get their processes and files from a ``UpdateProbe``.
struct UpdateManager: Sendable {
    /// The value of the fact `source`.
    let name: String
    /// The name in a sentence.
    let title: String
    /// What is asked for the installed version, in a sentence; nil: nothing.
    var installedTitle: String?
    /// The versions that can be had.
    var available: @Sendable (UpdateSource, UpdateProbe) -> UpdateFindings.Availability = { _, _ in .notAsked }
    /// The installed version, without a network.
    var installed: @Sendable (UpdateSource, UpdateProbe) -> UpdateFindings = { _, _ in UpdateFindings() }
    /// Tries to install a version as the source spells it, without changing anything; nil if the source can't.
    var tryInstall: (@Sendable (UpdateSource, _ name: String, _ isDefault: Bool, UpdateProbe) -> UpdateCandidate.Trial)?
    /// The command that installs a version as the source spells it, with others of its packages; nil as the version: what the source
    /// installs by itself.
    var install: @Sendable (UpdateSource, String?, [String]) -> String? = { _, _, _ in nil }
    var refresh: @Sendable (UpdateSource) -> String? = { _ in nil }
    var unpin: @Sendable (UpdateSource) -> String? = { _ in nil }

    init(_ name: String, title: String? = nil) { (self.name, self.title) = (name, title ?? name) }

    /// The managers with commands of their own.
    static let all = [apt, pip, pipx]

    /// Names in sentences of sources that have no command here, where they differ from the fact.
    private static let titles = [
        "file": "the file", "homebrew": "Homebrew", "macports": "MacPorts", "flatpak": "Flatpak", "appimage": "AppImage",
        "nix": "Nix", "guix": "Guix", "cargo": "Cargo", "go": "Go", "bun": "Bun", "yarn": "Yarn", "gem": "RubyGems",
        "dotnet": ".NET", "sdkman": "SDKMAN", "unknown": "the source",
    ]

    /// The row of a source. A source without one has no command, and nothing is asked.
    static func named(_ name: String) -> UpdateManager {
        all.first { $0.name == name } ?? UpdateManager(name, title: titles[name])
    }
}
