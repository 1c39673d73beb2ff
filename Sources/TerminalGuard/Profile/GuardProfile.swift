import BellerophonBase
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

    /// Reads the file of a profile. All problems with its own keys are reported; those below `config` are found later.
    /// - Parameter origin: the path of the file, for the errors.
    package init(json data: Data, name: GuardProfileName, origin: String) throws(ConfigurationError) {
        var draft = GuardProfileDraft()
        try SettingsReader(GuardProfileDraft.settings).apply(file: data, origin: origin, to: &draft)
        let problems = draft.problems
        guard problems.isEmpty, let program = draft.program, let wrapper = draft.wrapper,
            let source = draft.sources.first
        else {
            throw ConfigurationError(origin: origin, problems: problems)
        }
        self.name = name
        self.program = program
        self.wrapper = wrapper
        self.source = source
        draft.policy.onKill = draft.response(draft.onKill.onUpdate)
        draft.policy.onUpdate = draft.response(draft.onUpdate)
        policy = draft.policy
        versionTimeout = draft.versionTimeout
        versionCommand = draft.versionCommand
    }
}
