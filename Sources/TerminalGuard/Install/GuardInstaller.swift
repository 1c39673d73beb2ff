import BellerophonBase
import Foundation

/// Installs, removes and lists the wrappers of the profiles in a folder.
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
    private let patience: Duration
    private let beforeStep: @Sendable (AtomicFile.Step) throws(FileError) -> Void

    /// - Parameter check: checks the settings of the kill switch in a profile.
    package init(_ folder: GuardFolder = GuardFolder(), checking check: @escaping GuardConfigurationCheck) {
        self.init(folder, checking: check, patience: .seconds(10))
    }

    init(
        _ folder: GuardFolder, checking check: @escaping GuardConfigurationCheck, patience: Duration,
        beforeStep: @escaping @Sendable (AtomicFile.Step) throws(FileError) -> Void = { (_) throws(FileError) in }
    ) {
        self.folder = folder
        self.check = check
        self.patience = patience
        self.beforeStep = beforeStep
        records = InstallRecords(root: folder.root, owner: folder.owner)
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
        let program = try GuardedProgramFile(profile.program, in: folder)
        let lock = try records.lock(limit: patience)
        defer { withExtendedLifetime(lock) {} }
        let file = try wrapperFile(profile.wrapper)
        guard !file.isSameFile(as: program.facts) else {
            throw GuardInstallError(
                .configuration,
                "\(folder.file(of: name)): program and wrapper are the same file (\(profile.wrapper)); choose another wrapper")
        }
        let wrapper = GuardWrapper(profile: name, program: profile.program, bellerophon: bellerophon)
        let result = try Self.result(of: wrapper, at: profile.wrapper, having: content(of: file))
        if let problem, result != .alreadyInstalled {
            throw GuardInstallError(
                .unavailable,
                "\(folder.file(of: name)): \(problem); nothing was installed. Correct the address, or add --offline if this "
                    + "machine can't reach its server now")
        }
        let known = try records.wrappers(of: name)
        if result != .alreadyInstalled || known != [profile.wrapper] {
            try record(known.filter { $0 != profile.wrapper } + [profile.wrapper], of: name)
        }
        if result != .alreadyInstalled { try write(wrapper, to: file, replacing: result == .rewritten, known: known) }
        let notes = try removeFormer(known.filter { $0 != profile.wrapper }, keeping: profile.wrapper, of: name)
        return Installation(
            result: result, wrapper: profile.wrapper, program: profile.program,
            notes: (problem.map { [$0] } ?? []) + notes + accessNotes(profile, bellerophon: bellerophon))
    }

    private static func result(
        of wrapper: GuardWrapper, at path: AbsolutePath, having content: WrapperFile.Content
    ) throws(GuardInstallError) -> InstallResult {
        switch content {
        case .nothing: return .installed
        case .wrapper(let present, _) where present.profile != wrapper.profile:
            throw GuardInstallError(
                .cantCreate,
                "\(path) is the wrapper of the profile \(present.profile); run: bellerophon guard uninstall \(present.profile)")
        case .wrapper(let present, let defect): return present == wrapper && defect == nil ? .alreadyInstalled : .rewritten
        case .foreign(let reason, _):
            throw GuardInstallError(.cantCreate, "\(path) \(reason); it was left as it is. Move it away, or change the profile")
        }
    }

    /// The wrapper starts this executable for every user of the program.
    func checkBellerophon(_ path: AbsolutePath) throws(GuardInstallError) {
        do throws(TrustError) {
            try TrustedPath(root: folder.root, rule: .installed(folder.owner)).resolve(path.text).checkExecutable(path)
        } catch {
            throw GuardInstallError(error, ifMissing: "install bellerophon first")
        }
    }

    private func write(
        _ wrapper: GuardWrapper, to file: WrapperFile, replacing: Bool, known: [AbsolutePath]
    ) throws(GuardInstallError) {
        do throws(FileError) {
            try file.write(wrapper, replacing: replacing)
        } catch {
            // The new place is forgotten, unless the wrapper is there and only its name may not be durable.
            if let content = try? file.content(), content == .nothing { try? records.set(known, of: wrapper.profile) }
            throw GuardInstallError(error)
        }
    }

    /// A note for each file that the wrapper needs and that only its owner can use: the wrapper would fail for other users, or
    /// start the program without the guard.
    private func accessNotes(_ profile: GuardProfile, bellerophon: AbsolutePath) -> [String] {
        var needed = [(AbsolutePath(folder.file(of: profile.name)), PublicAccess.read), (bellerophon, .execute)]
        if case .file(let path) = profile.source { needed.append((path, .read)) }
        let obstacles = needed.compactMap { path, access in path.flatMap { access.obstacle(on: $0, below: folder.root) } }
        return obstacles.map { "only its owner can use \($0.path), so other users can't use the guard; run: \($0.command)" }
    }

    // MARK: For the other commands

    func lock() throws(GuardInstallError) -> FileLock { try records.lock(limit: patience) }

    func wrapperFile(_ path: AbsolutePath) throws(GuardInstallError) -> WrapperFile {
        do throws(TrustError) {
            return try WrapperFile(path, in: folder, beforeStep: beforeStep)
        } catch {
            throw GuardInstallError(error, ifMissing: "create it, or change the profile")
        }
    }

    func content(of file: WrapperFile) throws(GuardInstallError) -> WrapperFile.Content {
        do throws(TrustError) {
            return try file.content()
        } catch {
            throw GuardInstallError(error)
        }
    }

    func record(_ wrappers: [AbsolutePath], of name: GuardProfileName) throws(GuardInstallError) {
        do throws(FileError) {
            try records.set(wrappers, of: name)
        } catch {
            throw GuardInstallError(error)
        }
    }
}
