import Foundation

/// What an administrator has set for one guarded program, in the file `guard.d/NAME.json`.
package struct GuardProfile: Equatable, Sendable {
    /// Where the settings of the kill switch come from.
    package enum Source: Equatable, Sendable {
        /// The object under `config`, as JSON.
        case inline(Data)
        /// The file that `configFile` names.
        case file(AbsolutePath)
    }

    package let name: GuardProfileName
    /// The guarded program.
    package let program: AbsolutePath
    /// Where `guard install` writes the script that starts the guard.
    package let wrapper: AbsolutePath
    package let source: Source
    package let policy: GuardPolicy
    /// How long it may take to find out the version of the program.
    package let versionTimeout: Duration
    /// The command that prints the version of the program; nil for none. Its first argument is an absolute path.
    package let versionCommand: VersionCommand?
}
