import Bellerophon
import Foundation
internal import Processes

extension UpdateSource {
    /// How an installed program is updated on this machine.
    package static func of(
        _ installation: Installation, options: UpdateOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> UpdateSource {
        var source = UpdateSource(installation, options, privilege: privilege(environment))
        guard let interpreter = installation.interpreter else { return source }
        let root = PythonPackage.Program.root(installation.file) ?? PythonPackage.Program.root(interpreter) ?? "/"
        source.isWritable = access(root + "/bin", W_OK) == 0
        source.isExternallyManaged = source.kind == "pip" && isExternallyManaged(interpreter)
        source.hasOwnIndex = hasOwnIndex(environment)
        if source.kind == "pipx", let root = PythonPackage.Program.root(interpreter) {
            source.indexOptions = PipxEnvironment(root: root, SystemFiles())?.indexOptions ?? []
        }
        return source
    }

    /// How an app is updated that is watched from elsewhere. Only what the options state is known of it.
    static func ofWatched(_ options: UpdateOptions) -> UpdateSource {
        let source = options.source ?? MachineFacts.unknown
        return of(Installation(source: source, package: options.package, path: "", file: ""), options: options)
    }

    /// How this process is updated.
    package static func ofThisProcess(environment: [String: String]) -> UpdateSource {
        of(
            InstallSource.find(path: pathOfThisProcess, environment: environment), options: UpdateOptions(),
            environment: environment)
    }

    /// The path that this process was started by, with its links; the path of its file if that path leads elsewhere.
    package static var pathOfThisProcess: String {
        OwnExecutable.path(actual: MachineFacts.executableOfThisProcess ?? "")
    }

    private static func privilege(_ environment: [String: String]) -> Privilege {
        if geteuid() == 0 { return .root }
        return ProgramSearch.first("sudo", in: environment["PATH"] ?? "") == nil ? .none : .sudo
    }

    /// Whether the variables or the files of this user name places for pip, which a command of root would not use.
    private static func hasOwnIndex(_ environment: [String: String]) -> Bool {
        let variables = ["PIP_INDEX_URL", "PIP_PYPI_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"]
        if variables.contains(where: { environment[$0]?.isEmpty == false }) { return true }
        let home = environment["HOME"] ?? ""
        let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        let files = [environment["PIP_CONFIG_FILE"], "\(settings)/pip/pip.conf", "\(home)/.pip/pip.conf"]
        return files.contains { file in
            guard let file, let text = SystemFiles().text(of: file, limit: 1 << 20) else { return false }
            return text.contains("index") || text.contains("find-links")
        }
    }

    /// Whether an interpreter outside of an environment of its own has the marker of PEP 668.
    private static func isExternallyManaged(_ interpreter: String) -> Bool {
        guard let root = PythonPackage.Program.root(interpreter), access(root + "/pyvenv.cfg", F_OK) != 0,
            let file = SystemFiles().realPath(interpreter), let name = file.split(separator: "/").last,
            let library = PythonPackage.Program.root(file)
        else { return false }
        return access("\(library)/lib/\(name)/EXTERNALLY-MANAGED", F_OK) == 0
    }
}
