import Bellerophon

/// How the program is updated from where it was installed. A pure value: it says which commands to run, and reads what they print.
package struct UpdateSource: Equatable, Sendable {
    /// How a person of this process becomes root, which some sources need.
    package enum Privilege: Equatable, Sendable { case root, sudo, none }

    package var installation: Installation
    package var options: UpdateOptions
    package var privilege: Privilege

    package init(_ installation: Installation, _ options: UpdateOptions, privilege: Privilege) {
        (self.installation, self.options, self.privilege) = (installation, options, privilege)
    }

    /// The source in a sentence: `apt`, `Homebrew`.
    package var name: String { installation.source }

    /// The shell command that installs a version; nil if the source has none and the app states none.
    /// - Parameters:
    ///   - candidate: the version to install; nil for whatever the source installs by itself.
    ///   - isDefault: whether the source installs that version by itself.
    package func command(for candidate: UpdateCandidate?, isDefault: Bool) -> String? { options.command }

    /// The shell command that makes the source look for newer versions; nil if it always does.
    package var refreshCommand: String? { nil }
}
