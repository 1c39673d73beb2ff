import BellerophonBase
import Foundation

extension GuardProfile {
    /// Reads the file of a profile. All problems with its own keys are reported; those below `config` are found later.
    /// - Parameter origin: the path of the file, for the errors.
    package init(json data: Data, name: GuardProfileName, origin: String) throws(ConfigurationError) {
        var draft = GuardProfileDraft()
        try SettingsReader(GuardProfileDraft.settings).apply(file: data, origin: origin, to: &draft)
        let problems = draft.problems
        guard problems.isEmpty, let program = draft.program, let wrapper = draft.wrapper else {
            throw ConfigurationError(origin: origin, problems: problems)
        }
        self.name = name
        self.program = program
        self.wrapper = wrapper
        if let file = draft.configFile {
            source = .file(file)
        } else {
            source = .inline(try Self.configuration(in: data, origin: origin))
        }
        draft.policy.onKill = draft.response(draft.onKill.onUpdate)
        draft.policy.onUpdate = draft.response(draft.onUpdate)
        policy = draft.policy
        versionTimeout = draft.versionTimeout
        versionCommand = draft.versionCommand
    }

    /// The object under `config`, with its order of members and its digits.
    private static func configuration(in data: Data, origin: String) throws(ConfigurationError) -> Data {
        do {
            return try JSONReader.read(data).members?["config"]?.data ?? Data("{}".utf8)
        } catch {
            throw ConfigurationError(origin: origin, "not JSON: \(error)")
        }
    }
}
