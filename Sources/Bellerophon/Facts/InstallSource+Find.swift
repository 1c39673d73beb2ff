import Foundation

extension InstallSource {
    /// How a program is installed, from the path that it is started by, its symbolic links, the first line of a script, and the lists
    /// of dpkg and pip. No process is started and no network is used.
    ///
    /// The lists of dpkg are read only for programs in the folders of the system and below `/opt`.
    /// - Parameters:
    ///   - path: the path that the program is started by; an absolute one.
    ///   - environment: the variables of the process.
    ///   - reader: what is read of the file system.
    /// - Returns: the source is `unknown` if the path leads to no file, and for a file in the folders of the system if no list says
    ///   whose it is.
    package static func find(
        path: String, environment: [String: String], reader: some InstallFiles = SystemFiles()
    ) -> Installation {
        guard path.hasPrefix("/"), let file = reader.realPath(path), reader.isFile(file) else {
            return Installation(source: of(path, environment), path: path, file: path)
        }
        let named = of(file, environment)
        let isPython = ["pip", "pipx", MachineFacts.unknown].contains(named)
        guard isPython else { return Installation(source: named, path: path, file: file) }
        if let launcher = launcher(of: path) { return Installation(source: launcher, path: path, file: file) }

        let owner = DebianPackages(files: reader).owner(of: file == path ? [file] : [file, path])
        if case .package(let package) = owner {
            return Installation(source: "apt", package: package, path: path, file: file)
        }
        if let found = python(path: path, file: file, environment, reader) { return found }
        guard named == MachineFacts.unknown else { return Installation(source: named, path: path, file: file) }
        let isUnknown = owner == .unknown && DebianPackages.isSystem(file)
        return Installation(source: isUnknown ? MachineFacts.unknown : "file", path: path, file: file)
    }

    /// The source of a link whose file is a program of the manager, which starts another program by the name of the link.
    private static func launcher(of path: String) -> String? {
        if path.hasPrefix("/snap/bin/") { return "snap" }
        return ["mise": "/mise/shims/", "asdf": "/.asdf/shims/"].first { path.contains($0.value) }?.key
    }

    // MARK: pip and pipx

    private static func python(
        path: String, file: String, _ environment: [String: String], _ reader: some InstallFiles
    ) -> Installation? {
        let interpreter = interpreter(of: file, environment, reader)
        let script = interpreter.flatMap { isPython($0) ? $0 : nil }
        let program = PythonPackage.Program(file: file, interpreter: script)
        var found = Installation(source: "pip", path: path, file: file)
        for root in program.roots {
            guard let pipx = PipxEnvironment(root: root, reader) else { continue }
            // A script beside the environment, where there are no links, starts the same program.
            let name = file.split(separator: "/").last.map(String.init) ?? ""
            let inside = PythonPackage.Program(file: "\(root)/bin/\(name)", interpreter: nil)
            guard let owner = PythonPackage.owner(of: inside, reader) else { continue }
            found.source = "pipx"
            found.interpreter = ownInterpreter(of: root, script, reader)
            let isMain = PythonPackage.normal(owner.name) == PythonPackage.normal(pipx.package)
            if isMain, pipx.isFromIndex, !owner.isDirect { found.package = pipx.package }
            return found
        }
        guard let owner = PythonPackage.owner(of: program, reader) else { return nil }
        let root = PythonPackage.Program.root(owner.site + "/x") ?? ""
        let version = owner.site.split(separator: "/").dropLast().last.map(String.init) ?? "python3"
        found.interpreter =
            ownInterpreter(of: root, script, reader) ?? script
            ?? search([version, "python3"], environment["PATH"] ?? "/usr/bin:/bin", reader)
        if !owner.isDirect { found.package = owner.name }
        return found
    }

    /// The interpreter in an environment of its own.
    private static func ownInterpreter(of root: String, _ script: String?, _ reader: some InstallFiles) -> String? {
        if let script, PythonPackage.Program.root(script) == root { return script }
        return ["python3", "python"].map { "\(root)/bin/\($0)" }.first(where: reader.isFile)
    }

    private static func isPython(_ interpreter: String) -> Bool {
        guard let name = interpreter.split(separator: "/").last else { return false }
        return name.hasPrefix("python") || name.hasPrefix("pypy")
    }

    /// More than the kernel reads of a script, and more than a long path in the second line takes.
    private static let scriptLimit = 1024

    /// The path of the interpreter in the first line of a script, `#!/usr/bin/python3`, with its links.
    private static func interpreter(of file: String, _ environment: [String: String], _ reader: some InstallFiles) -> String? {
        guard let text = reader.text(of: file, limit: scriptLimit), text.hasPrefix("#!") else { return nil }
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        var words = lines[0].dropFirst(2).split(whereSeparator: \.isWhitespace)
        // pip writes a path that is too long for the kernel in the second line, which a shell runs: '''exec' /path/python "$0" "$@"
        if words.first == "/bin/sh", lines.count > 1, lines[1].hasPrefix("'''exec' ") {
            let rest = lines[1].dropFirst(9)
            words = [rest.hasPrefix("\"") ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != " " }]
        }
        guard let first = words.first, first.hasPrefix("/") else { return nil }
        guard first.hasSuffix("/env") else { return String(first) }
        guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }) else { return nil }
        return search([String(name)], environment["PATH"] ?? "/usr/bin:/bin", reader)
    }

    private static func search(_ names: [String], _ path: String, _ reader: some InstallFiles) -> String? {
        for name in names {
            for folder in path.split(separator: ":") where folder.hasPrefix("/") {
                if reader.isFile("\(folder)/\(name)") { return "\(folder)/\(name)" }
            }
        }
        return nil
    }
}
