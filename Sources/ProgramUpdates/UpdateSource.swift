import Bellerophon

/// How the program is updated from where it was installed. A pure value: it says which commands to run, and reads what they print.
///
/// The names and versions in a command come from the app, from lists of the machine, and from what the source prints. Each is checked
/// against the grammar of its source and quoted for the shell. Nothing of a status is in a command.
package struct UpdateSource: Equatable, Sendable {
    /// How a person of this process becomes root, which some sources need.
    package enum Privilege: Equatable, Sendable { case root, sudo, none }

    package var installation: Installation
    package var options: UpdateOptions
    package var privilege: Privilege
    /// Whether this user may change the environment that the program is installed in. Only `pip` and `pipx` ask.
    package var isWritable = true
    /// Whether pip refuses to change the environment without being told to, because it belongs to the system.
    package var isExternallyManaged = false
    /// Whether the person has agreed to everything, so that apt does not ask.
    package var assumesYes = false
    /// The options of pip that name the places of the package, as pipx keeps them.
    package var indexOptions: [String] = []
    /// Whether pip has other places for this user than it may have for root.
    package var hasOwnIndex = false

    package init(_ installation: Installation, _ options: UpdateOptions, privilege: Privilege) {
        (self.installation, self.options, self.privilege) = (installation, options, privilege)
    }

    /// The value of the fact `source`: what the app states, otherwise what was found.
    package var kind: String { options.source ?? installation.source }

    /// The package's name: what the app states, otherwise what was found in the same source. It is not checked.
    package var package: String? {
        if let stated = options.package { return stated }
        return kind == installation.source ? installation.package : nil
    }

    /// Whether a package manager of the source has commands of its own.
    package var hasManager: Bool { UpdateManager.all.contains { $0.name == kind } }

    /// Whether nothing is installed before the source has shown that it is where the program is from: pip records no index, and a package
    /// of the same name in another index may be a stranger's. An app that states its package vouches for it.
    package var needsProof: Bool { ["pip", "pipx"].contains(kind) && options.package == nil }

    /// The source in a sentence: `apt`, `Homebrew`.
    package var name: String { manager.title }

    /// What is asked for the installed version, in a sentence: `dpkg-query`, or the app's own command. nil: nothing.
    package var installedName: String? {
        options.versionCommand.map { $0.joined(separator: " ") } ?? manager.installedTitle
    }

    /// The shell command that installs a version; nil if the source has none and the app states none.
    ///
    /// An app's own command is returned unchanged. Without a candidate, a package manager installs what it chooses.
    /// - Parameters:
    ///   - candidate: the version to install; nil for whatever the source installs by itself.
    ///   - isDefault: whether the source installs that version by itself.
    package func command(for candidate: UpdateCandidate?, isDefault: Bool) -> String? {
        options.command ?? manager.install(self, isDefault ? nil : candidate?.name, candidate?.others ?? [])
    }

    /// The shell command that makes the source look for newer versions; nil if it always does.
    package var refreshCommand: String? { manager.refresh(self) }

    /// The shell command after which the source no longer keeps the installed version; nil if the source keeps none, or if there is
    /// no single command for it.
    package var unpinCommand: String? { manager.unpin(self) }

    var manager: UpdateManager { .named(kind) }

    // MARK: The parts of commands

    /// A command that root runs.
    ///
    /// Without sudo it is run by su, as a login of root: the search path of another user lacks what dpkg needs.
    func elevated(_ command: String) -> String {
        switch privilege {
        case .root: command
        case .sudo: "sudo \(command)"
        case .none: "su -l -c \(ShellWord.quoted(command))"
        }
    }
}
