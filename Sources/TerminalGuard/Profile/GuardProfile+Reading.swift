import BellerophonBase
import Foundation

extension GuardProfile {
    /// Reads the file of a profile. All problems with its own keys are reported; those below `config` are found later.
    /// - Parameter origin: the path of the file, for the errors.
    package init(json data: Data, name: GuardProfileName, origin: String) throws(ConfigurationError) {
        var draft = GuardProfileDraft()
        try SettingsReader(GuardProfileDraft.settings).apply(file: data, origin: origin, to: &draft)
        let problems = draft.problems
        guard problems.isEmpty, let program = draft.program, let wrapper = draft.wrapper,
            let source = draft.configFile.map(Source.file) ?? draft.config.map(Source.inline)
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
