import BellerophonBase
import Foundation

/// Installs, removes and lists the wrappers of the profiles in a folder.
///
/// It promises six things. Every path that it relies on belongs to root (``TrustedPath``). It never overwrites or removes what
/// it did not write (``WrapperPlace/Content``). A wrapper is there whole or not at all. An install that fails leaves nothing
/// that was not there before. Where it wrote one is recorded
/// (``InstallRecords``), so that it can be removed without its profile. And a wrapper whose profile is gone refuses to start the
/// program, because it names the profile and no settings (``GuardWrapper``).
package struct GuardInstaller: Sendable {
    /// What `install` has done.
    package enum InstallResult: Equatable, Sendable {
        case installed
        /// A wrapper of the same profile was there, with other content, owner or permissions.
        case rewritten
        case alreadyInstalled
    }

    /// The result of an install.
    package struct Installation: Equatable, Sendable {
        package let result: InstallResult
        package let wrapper: AbsolutePath
        package let program: AbsolutePath
        /// Facts that the administrator should know although the command succeeded, one line each.
        package let notes: [String]
    }

    package let folder: GuardFolder
    let check: GuardConfigurationCheck
    let records: InstallRecords
    /// How long a command waits for another one.
    var patience = Duration.seconds(10)
    var writer = WrapperPlace.writer

    /// - Parameter check: checks the settings of the kill switch in a profile.
    package init(_ folder: GuardFolder = GuardFolder(), checking check: @escaping GuardConfigurationCheck) {
        (self.folder, self.check, records) = (folder, check, InstallRecords(folder))
    }

    /// Writes the wrapper of a profile, and removes those that the same profile has at other places.
    ///
    /// It changes nothing if the wrapper is installed already. It never replaces a file that it did not write.
    /// - Parameters:
    ///   - bellerophon: the executable that the wrapper starts.
    ///   - problem: why the status of the profile can't be read; nil if it can, or was not tried. Nothing is written then. For
    ///     a wrapper that is installed already it is only a note: its server may be away for a moment.
    package func install(
        _ name: GuardProfileName, bellerophon: AbsolutePath, statusProblem problem: String? = nil
    ) throws(GuardInstallError) -> Installation {
        let profile = try folder.load(name, checking: check).profile
        try checkBellerophon(bellerophon)
        let program = try checkProgram(profile.program)
        try checkVersionCommand(of: profile)
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        do throws(GuardInstallError) {
            return try install(profile, of: name, program, bellerophon, statusProblem: problem)
        } catch {
            records.removeFolder(of: lock)
            throw error
        }
    }

    /// Installs while no other install or uninstall runs.
    private func install(
        _ profile: GuardProfile, of name: GuardProfileName, _ program: stat, _ bellerophon: AbsolutePath,
        statusProblem problem: String?
    ) throws(GuardInstallError) -> Installation {
        let place = try WrapperPlace(profile.wrapper, of: name, in: folder, ifMissing: "create it, or change the profile")
        guard !place.isSameFile(as: program) else {
            throw GuardInstallError(
                .configuration,
                "\(folder.file(of: name)): program and wrapper are the same file (\(profile.wrapper)); choose another wrapper")
        }
        let wrapper = GuardWrapper(profile: name, program: profile.program, bellerophon: bellerophon)
        let result = try Self.result(of: wrapper, at: place)
        if let problem, result != .alreadyInstalled {
            throw GuardInstallError(
                .unavailable,
                "\(folder.file(of: name)): \(problem); nothing was installed. Correct the address, or add --offline if this "
                    + "machine can't reach its server now")
        }
        let former = try write(wrapper, at: place, result)
        let notes = former.isEmpty ? [] : try removeFormer(former, keeping: profile.wrapper, of: name)
        return Installation(
            result: result, wrapper: profile.wrapper, program: profile.program,
            notes: (problem.map { [$0] } ?? []) + notes + accessNotes(profile, bellerophon: bellerophon))
    }

    private static func result(of wrapper: GuardWrapper, at place: WrapperPlace) throws(GuardInstallError) -> InstallResult {
        switch try place.content() {
        case .nothing: return .installed
        case .wrapper(let present, let defect): return present == wrapper && defect == nil ? .alreadyInstalled : .rewritten
        case .ofProfile(let other):
            throw GuardInstallError(
                .cantCreate, "\(place.path) is the wrapper of the profile \(other); run: bellerophon guard uninstall \(other)")
        case .foreign(let reason, _):
            throw GuardInstallError(
                .cantCreate, "\(place.path) \(reason); it was left as it is. Move it away, or change the profile")
        }
    }

    /// Records the place and writes the wrapper, unless it is installed already.
    /// - Returns: the other places that are recorded.
    private func write(
        _ wrapper: GuardWrapper, at place: WrapperPlace, _ result: InstallResult
    ) throws(GuardInstallError) -> [AbsolutePath] {
        let known = try records.wrappers(of: place.profile)
        let former = known.filter { $0 != place.path }
        if result != .alreadyInstalled || known != [place.path] {
            try records.set(former + [place.path], of: place.profile)
        }
        guard result != .alreadyInstalled else { return former }
        do throws(GuardInstallError) {
            try place.write(wrapper, isReplacement: result == .rewritten, with: writer)
        } catch {
            // The new place is forgotten, unless the wrapper is there and only its name may not be durable.
            if let content = try? place.content(), content == .nothing { try? records.set(known, of: place.profile) }
            throw error
        }
        return former
    }

    func lock() throws(GuardInstallError) -> InstallRecords.Lock { try records.lock(limit: patience) }
}
