import BellerophonBase
import Foundation

/// The folder of an administrator's profiles, `/etc/bellerophon/guard.d`.
///
/// Profiles decide what runs in place of other users' programs. Therefore every folder from the top down to `guard.d`, each
/// profile, and each file with settings that a profile names must belong to root and be writable by nobody else.
package struct GuardFolder: Equatable, Sendable {
    /// The largest profile or file of settings in bytes.
    static let sizeLimit = 1 << 20
    private static let suffix = ".json"

    /// The folder where the checks begin.
    package let root: String
    /// The only accepted owner.
    package let owner: uid_t

    /// - Parameters:
    ///   - root: an absolute path without symbolic links; the folder that contains `etc` and `var`. Tests use another one
    ///     than `/`. Paths in profiles are not relative to it.
    ///   - owner: the user that everything must belong to; 0 is root.
    package init(root: String = "/", owner: uid_t = 0) {
        self.root = root
        self.owner = owner
    }

    /// Whether a path is the guard's own folder of settings, or in it.
    static func isOwn(_ path: String, root: String) -> Bool {
        let own = PathText.join(root, "etc/bellerophon")
        return path == own || path.hasPrefix(own + "/")
    }

    package var path: String { PathText.join(root, "etc/bellerophon/guard.d") }

    /// The path of a profile's file.
    package func file(of name: GuardProfileName) -> String { PathText.join(path, name.text + Self.suffix) }

    /// The names of the files in the folder that end in `.json` and are not hidden, sorted, without that ending. Some may not
    /// be valid names of profiles. Empty if the folder does not exist.
    package func fileNames() throws(GuardInstallError) -> [String] {
        do throws(FileError) {
            close(try FileCalls.open(path, O_RDONLY | O_DIRECTORY))
        } catch {
            if error.code == ENOENT { return [] }
            throw GuardInstallError(path, .system(error.code))
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let visible = files.filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }
        return visible.map { String($0.dropLast(Self.suffix.count)) }.sorted()
    }

    /// Reads a profile and checks the owner and the permissions of its file.
    func profile(_ name: GuardProfileName) throws(GuardInstallError) -> GuardProfile {
        let origin = file(of: name)
        let data = try read(origin, ifMissing: "write the profile to \(origin) as root")
        return try Self.checked { () throws(ConfigurationError) in try GuardProfile(json: data, name: name, origin: origin) }
    }

    /// Reads a profile and the settings that it names, and checks the owner and the permissions of both.
    /// - Parameter check: checks the settings of the kill switch.
    package func load(
        _ name: GuardProfileName, checking check: GuardConfigurationCheck
    ) throws(GuardInstallError) -> LoadedGuardProfile {
        let profile = try profile(name), origin = file(of: name), configuration: GuardConfigurationText
        switch profile.source {
        case .inline(let data): configuration = GuardConfigurationText(data: data, origin: origin, isInline: true)
        case .file(let path):
            let data = try read(path.text, ifMissing: "\(origin) names it as configFile")
            configuration = GuardConfigurationText(data: data, origin: path.text, isInline: false)
        }
        try Self.checked { () throws(ConfigurationError) in try configuration.read(check) }
        return LoadedGuardProfile(profile: profile, configuration: configuration)
    }

    private func read(_ path: String, ifMissing hint: String) throws(GuardInstallError) -> Data {
        guard let file = AbsolutePath(path) else {
            throw GuardInstallError(.configuration, "\(path): expected an absolute path without \".\" and \"..\"")
        }
        return try TrustedPath(root: root, rule: .exclusive(owner), hint: hint).read(file, limit: Self.sizeLimit)
    }

    private static func checked<Result>(_ body: () throws(ConfigurationError) -> Result) throws(GuardInstallError) -> Result {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw GuardInstallError(error)
        }
    }
}

/// A profile that was read and checked, with its settings of the kill switch.
package struct LoadedGuardProfile: Equatable, Sendable {
    package let profile: GuardProfile
    package let configuration: GuardConfigurationText
}
