public import Foundation

/// How an app is updated.
///
/// Everything here comes from the app or its configuration. A status can't set any of it: it only says which version is required.
public struct UpdateOptions: Equatable, Sendable {
    /// What an app allows while the version that a status requires can't be had from its source.
    public enum WhenUnavailable: Equatable, Sendable {
        /// The app stays covered.
        case cover
        /// The app goes on until a date, and the person is told. It is covered from the date on, and while it is not known what the
        /// source has.
        case goOn(until: Date)
    }

    /// How the app was installed, in place of what is found out: `apt`, `pip`, `pipx`, `file`, or the name of another source.
    public var source: String?
    /// The name of the app's package in that source. nil: the package that contains the running program.
    public var package: String?
    /// The shell command that updates the app, in place of the source's own. It finds the version that is wanted in the variable
    /// `BELLEROPHON_UPDATE_VERSION`, if one is, and the path of the program in `BELLEROPHON_UPDATE_PROGRAM`.
    public var command: String?
    /// A command that prints the versions that can be had, with its arguments, in place of asking the source. Each line begins with a
    /// version. It may take 30 seconds.
    public var availableCommand: [String]?
    /// A command that prints the installed version, with its arguments, in place of asking the source. It may take 2 seconds.
    public var versionCommand: [String]?
    /// What applies while the required version can't be had. Default: the app stays covered.
    public var whenUnavailable = WhenUnavailable.cover

    /// Creates the default options: the source is found out, and has a command if it is one that this library knows.
    public init() {}
}
