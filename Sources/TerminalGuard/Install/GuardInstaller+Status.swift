import BellerophonBase
import Foundation
import Processes

extension GuardInstaller {
    /// The state of every profile in the folder, and of every recorded install whose profile was deleted, by name.
    /// - Parameter searchPath: the value of PATH that decides whether a shell finds the wrapper.
    package func status(searchPath: String) throws(GuardInstallError) -> [GuardProfileStatus] {
        let names = Set(try folder.fileNames()).union(records.names().map(\.text))
        return names.sorted().map { status(of: $0, searchPath) }
    }

    private func status(of text: String, _ searchPath: String) -> GuardProfileStatus {
        let name: GuardProfileName
        do throws(GuardInstallError) {
            name = try GuardProfileName(validating: text)
        } catch {
            return GuardProfileStatus(name: text, program: nil, wrapper: nil, state: .refused(error.description))
        }
        let known = (try? records.wrappers(of: name)) ?? []
        do throws(GuardInstallError) {
            let profile = try folder.load(name, checking: check).profile
            let state: GuardProfileStatus.State
            do throws(GuardInstallError) {
                try checkProgram(profile.program)
                try checkVersionCommand(of: profile)
                state = try self.state(of: profile, known: known, searchPath)
            } catch {
                state = .refused(error.description)
            }
            return GuardProfileStatus(name: text, program: profile.program.text, wrapper: profile.wrapper.text, state: state)
        } catch {
            let advice = known.isEmpty ? "" : "; to remove the wrapper, run: bellerophon guard uninstall \(name)"
            return GuardProfileStatus(
                name: text, program: nil, wrapper: known.last?.text, state: .refused(error.description + advice))
        }
    }

    private func state(
        of profile: GuardProfile, known: [AbsolutePath], _ searchPath: String
    ) throws(GuardInstallError) -> GuardProfileStatus.State {
        let hint = "create it, or change the profile"
        switch try WrapperPlace(profile.wrapper, of: profile.name, in: folder, ifMissing: hint).content() {
        case .nothing:
            let former = known.first { $0 != profile.wrapper }
            return former.map { .outdated("the wrapper is still at \($0)") } ?? .notInstalled
        case .foreign(let reason, _): return .changed("\(profile.wrapper) \(reason)")
        case .ofProfile(let other): return .changed("\(profile.wrapper) is the wrapper of the profile \(other)")
        case .wrapper(_, .some(let defect)): return .outdated("\(profile.wrapper) \(defect)")
        case .wrapper(let wrapper, nil) where wrapper.program != profile.program:
            return .outdated("the wrapper starts \(wrapper.program)")
        case .wrapper(let wrapper, nil):
            guard access(wrapper.bellerophon.text, X_OK) == 0 else { return .unguarded(missing: wrapper.bellerophon.text) }
            try checkBellerophon(wrapper.bellerophon)
            guard let path = ProgramSearch.first(profile.wrapper.name, in: searchPath) else { return .shadowed(by: nil) }
            guard let found = FileFacts(path: path), let own = FileFacts(path: profile.wrapper.text), found.isSameFile(as: own)
            else { return .shadowed(by: path) }
            return .installed
        }
    }
}
