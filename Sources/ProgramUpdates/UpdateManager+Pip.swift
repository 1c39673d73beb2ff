import Bellerophon

/// Python's packages: pip, and pipx above it.
extension UpdateManager {
    static let pip = {
        var pip = UpdateManager("pip")
        pip.installedTitle = "pip"
        pip.available = pythonVersions
        pip.installed = { source, probe in pythonReading(source, probe) }
        pip.install = { source, version, _ in
            guard let words = source.pipWords, let wanted = PipText.requirement(source.package, version) else { return nil }
            let isUser = words.contains("--user")
            let command = ShellWord.line(words + (version == nil ? ["--upgrade", wanted] : [wanted]))
            return source.isWritable || isUser ? command : source.hasOwnIndex ? nil : source.elevated(command)
        }
        return pip
    }()

    static let pipx = {
        var pipx = UpdateManager("pipx")
        pipx.installedTitle = "pipx"
        pipx.available = pythonVersions
        pipx.installed = { source, probe in
            var reading = pythonReading(source, probe)
            let root = source.installation.interpreter.flatMap(PythonPackage.Program.root)
            reading.isPinned = root.flatMap { PipxEnvironment(root: $0, probe.files) }?.isPinned ?? false
            return reading
        }
        pipx.install = { source, version, _ in
            guard let wanted = PipText.requirement(source.package, version), let prefix = source.pipxPrefix else { return nil }
            // Only an upgrade uses the places that pipx has kept, which may contain a password.
            guard version == nil || source.indexOptions.isEmpty else { return nil }
            let words = version == nil ? ["pipx", "upgrade", wanted] : ["pipx", "install", "--force", wanted]
            let command = ShellWord.line(prefix + words)
            return source.isWritable ? command : source.hasOwnIndex ? nil : source.elevated(command)
        }
        pipx.unpin = { source in
            guard let package = PipText.package(source.package), let prefix = source.pipxPrefix else { return nil }
            let command = ShellWord.line(prefix + ["pipx", "unpin", package])
            return source.isWritable ? command : source.elevated(command)
        }
        return pipx
    }()

    private static let pythonVersions: @Sendable (UpdateSource, UpdateProbe) -> UpdateFindings.Availability = { source, probe in
        guard let package = PipText.package(source.package), let python = source.python else { return .notAsked }
        let index = PipIndex(package: package, python: python, options: source.indexOptions)
        let available = index.availability(probe)
        guard source.needsProof, case .versions(let versions) = available else { return available }
        let found = installed(package, source, probe)
        guard found.count == 1, let version = found.first?.version else {
            return .elsewhere(.phrase(\.obstacles.ambiguous, ["package": .foreign(package)]))
        }
        let isKnown = versions.contains { $0.name == version || $0.version == PipText.ruleVersion(version) }
        // A version that was taken back, or a prerelease, is not listed, but can be asked for.
        guard isKnown || index.has(version, probe) else {
            let name = UpdateProbe.shown("\(package) \(version)")
            return .elsewhere(.phrase(\.obstacles.elsewhere, ["installed": .foreign(name)]))
        }
        return available
    }

    /// The packages of a name in the program's environment.
    private static func installed(_ package: String, _ source: UpdateSource, _ probe: UpdateProbe) -> [PythonPackage] {
        let installation = source.installation
        // A program of pipx may be a link or a script beside its environment.
        let program = PythonPackage.Program(
            file: source.kind == "pipx" ? installation.interpreter ?? installation.file : installation.file,
            interpreter: installation.interpreter)
        return PythonPackage.installed(package, for: program, probe.files)
    }

    /// The version that the environment of the program has, from its folder on the disk.
    private static func pythonReading(_ source: UpdateSource, _ probe: UpdateProbe) -> UpdateFindings {
        guard let package = PipText.package(source.package) else { return UpdateFindings() }
        let found = installed(package, source, probe)
        switch found.count {
        case 0: return UpdateFindings(installed: nil, .phrase(\.obstacles.missing, ["package": .foreign(package)]))
        case 1:
            let version = PipText.ruleVersion(found[0].version)
            return UpdateFindings(installed: version, version == nil ? UpdateProbe.incomparable(found[0].version) : nil)
        default:
            let path = LocalizedText.foreign(UpdateProbe.shown(found[0].site, limit: 512))
            return UpdateFindings(installed: nil, .phrase(\.obstacles.several, ["package": .foreign(package), "path": path]))
        }
    }
}

extension UpdateSource {
    /// The interpreter of the program's environment; nil if its path can't stand in a command.
    fileprivate var python: String? {
        installation.interpreter.map(ShellWord.path) ?? (kind == "pip" ? "python3" : nil)
    }

    /// The words of a command that installs into the program's environment, before the package.
    fileprivate var pipWords: [String]? {
        guard let python else { return nil }
        var words = [python, "-m", "pip", "install"]
        if let interpreter = installation.interpreter, let own = PythonPackage.Program.root(interpreter),
            let root = PythonPackage.Program.root(installation.file), root != own
        {
            // Debian's pip installs below /usr/local by itself.
            let isStandard = root == "/usr/local" && own == "/usr"
            let isUser = root.hasSuffix("/.local") || root.contains("/Library/Python/")
            guard let root = ShellWord.path(root) else { return nil }
            if !isStandard { words += isUser ? ["--user"] : ["--prefix", root] }
        }
        if isExternallyManaged { words.append("--break-system-packages") }
        return words
    }

    /// What stands before `pipx` if the environment is not where pipx looks for it: its folders, as variables.
    fileprivate var pipxPrefix: [String]? {
        guard let root = installation.interpreter.flatMap(PythonPackage.Program.root) else { return [] }
        let parts = root.split(separator: "/")
        guard parts.count > 2, parts[parts.count - 2] == "venvs" else { return nil }
        let home = "/" + parts.dropLast(2).joined(separator: "/")
        guard !home.hasSuffix("/.local/share/pipx"), !home.hasSuffix("/.local/pipx") else { return [] }
        var words = ["env", "PIPX_HOME=\(home)"]
        let folder = installation.path.split(separator: "/").dropLast().joined(separator: "/")
        if installation.path != installation.file { words.append("PIPX_BIN_DIR=/\(folder)") }
        return ShellWord.path(home) == nil || ShellWord.path("/" + folder) == nil ? nil : words
    }
}
