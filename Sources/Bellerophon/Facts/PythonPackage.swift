import Foundation

/// A Python package that is installed in an environment, as pip writes it to the disk.
package struct PythonPackage: Equatable, Sendable {
    /// The name in the package's metadata.
    package var name: String
    /// The version in the package's metadata: `1.5.0rc1`.
    package var version: String
    /// The folder that the package is in, such as `site-packages`.
    package var site: String
    /// Whether the package is from an address, a file, or a folder, and not from an index (PEP 610).
    package var isDirect: Bool

    /// A program in a Python environment.
    package struct Program {
        /// The path of the program's file, without links.
        package var file: String
        /// The interpreter in the first line of a script; nil if there is none.
        package var interpreter: String?

        package init(file: String, interpreter: String?) {
            (self.file, self.interpreter) = (file, interpreter)
        }

        /// The folders that may be the root of the environment, such as `/home/a/.local`: the one above the program's folder, and the
        /// one above the interpreter's.
        var roots: [String] {
            [Self.root(file), interpreter.flatMap(Self.root)].compactMap { $0 }.reduce(into: []) { roots, root in
                if !roots.contains(root) { roots.append(root) }
            }
        }

        /// The root of an environment that a path is in: `/usr/local` of `/usr/local/bin/tool`, and of
        /// `/usr/local/lib/python3.11/dist-packages/tool/tool`.
        package static func root(_ path: String) -> String? {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            if let index = parts.firstIndex(where: { $0 == "site-packages" || $0 == "dist-packages" }), index >= 3 {
                return parts[..<(index - 2)].joined(separator: "/")
            }
            guard parts.count > 2, parts[parts.count - 2] == "bin" else { return nil }
            return parts.dropLast(2).joined(separator: "/")
        }
    }

    // MARK: Reading

    private static let nameLimit = 20_000
    private static let recordLimit = 8 << 20
    private static let metadataLimit = 16 * 1024

    /// The package that has installed a program.
    static func owner(of program: Program, _ files: some InstallFiles) -> PythonPackage? {
        let command = program.file.split(separator: "/").last.map(String.init) ?? ""
        for site in program.roots.flatMap({ sites(in: $0, files) }) {
            let line = Needle("\n\(relative(program.file, to: site)),")
            let absolute = Needle("\n\(program.file),")
            for folder in infoFolders(in: site, first: command, files) {
                guard let record = files.bytes(of: "\(site)/\(folder)/RECORD", limit: recordLimit) else { continue }
                let text = [UInt8(ascii: "\n")] + record
                if line.isIn(text) || absolute.isIn(text) { return read(site, folder, files) }
            }
        }
        return nil
    }

    /// The packages of a name that an environment has: one, none, or several after an update that was cut off.
    package static func installed(_ name: String, for program: Program, _ files: some InstallFiles) -> [PythonPackage] {
        for site in program.roots.flatMap({ sites(in: $0, files) }) {
            let found = infoFolders(in: site, first: name, files).filter {
                normal(String($0.prefix { $0 != "-" })) == normal(name)
            }
            if !found.isEmpty { return found.compactMap { read(site, $0, files) } }
        }
        return []
    }

    /// Names of packages are the same without regard to case, and to `-`, `_` and `.`.
    package static func normal(_ name: String) -> String {
        name.lowercased().split { "-_.".contains($0) }.joined(separator: "-")
    }

    /// The folders of an environment that packages are installed in; those of the newest Python first.
    private static func sites(in root: String, _ files: some InstallFiles) -> [String] {
        ["lib", "lib64"].flatMap { library in
            let folder = "\(root)/\(library)"
            let versions = (files.names(in: folder, limit: nameLimit) ?? []).filter { $0.hasPrefix("python") }
            return versions.sorted { minor($0) > minor($1) }.flatMap { version in
                ["site-packages", "dist-packages"].map { "\(folder)/\(version)/\($0)" }
            }
        }
    }

    private static func minor(_ folder: String) -> Int { folder.split(separator: ".").last.flatMap { Int($0) } ?? 0 }

    /// The folders that describe the packages of a site. What an update that was cut off has left begins with `~`.
    private static func infoFolders(in site: String, first name: String, _ files: some InstallFiles) -> [String] {
        let folders = (files.names(in: site, limit: nameLimit) ?? []).filter { $0.hasSuffix(".dist-info") && !$0.hasPrefix("~") }
        let isFirst = { (folder: String) in normal(String(folder.prefix { $0 != "-" })) == normal(name) }
        return folders.filter(isFirst).sorted() + folders.filter { !isFirst($0) }.sorted()
    }

    private static func read(_ site: String, _ folder: String, _ files: some InstallFiles) -> PythonPackage? {
        let text = files.text(of: "\(site)/\(folder)/METADATA", limit: metadataLimit) ?? ""
        // The headers end with an empty line.
        let headers = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }.prefix { !$0.isEmpty }
        func value(_ name: String) -> String? {
            headers.first { $0.lowercased().hasPrefix(name) }.map {
                $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
            }
        }
        guard let name = value("name:"), let version = value("version:") else { return nil }
        let isDirect = files.isFile("\(site)/\(folder)/direct_url.json")
        return PythonPackage(name: name, version: version, site: site, isDirect: isDirect)
    }

    /// A path as the list of a package's files has it: from the package's folder on.
    private static func relative(_ path: String, to folder: String) -> String {
        let (parts, start) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(parts, start).prefix { $0 == $1 }.count
        return (start.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)).joined(separator: "/")
    }
}

/// What pipx keeps about one of its environments, in the file `pipx_metadata.json`.
package struct PipxEnvironment: Equatable, Sendable {
    /// The folder of the environment.
    package var root: String
    /// The name of the environment's package, by which pipx knows the environment.
    package var package: String
    /// Whether the environment's package is installed by its name, and not from an address or a folder.
    package var isFromIndex: Bool
    /// Whether pipx keeps the version, which was pinned.
    package var isPinned: Bool
    /// The options of pip that name the places of the package, with which pipx updates it: `--index-url=https://a.example/simple`.
    package var indexOptions: [String]

    private struct File: Decodable {
        struct Package: Decodable {
            var package: String?
            var package_or_url: String?
            var suffix: String?
            var pinned: Bool?
            var pip_args: [String]?
        }
        var main_package: Package
    }

    /// Reads the file of an environment; nil if pipx has not made it.
    package init?(root: String, _ files: some InstallFiles) {
        guard let bytes = files.bytes(of: root + "/pipx_metadata.json", limit: 1 << 20),
            let main = try? JSONDecoder().decode(File.self, from: Data(bytes)).main_package, let package = main.package
        else { return nil }
        let origin = main.package_or_url ?? package
        self.root = root
        self.package = package
        // An environment with a suffix has another name than its package.
        isFromIndex =
            (main.suffix ?? "").isEmpty && !origin.contains("/") && !origin.contains("@")
            && PythonPackage.normal(String(origin.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }))
                == PythonPackage.normal(package)
        isPinned = main.pinned == true
        indexOptions = Self.indexOptions(main.pip_args ?? [])
    }

    /// The options for places among the arguments of pip, each as one word where it has a value.
    private static func indexOptions(_ arguments: [String]) -> [String] {
        let long = ["-i": "--index-url", "--pypi-url": "--index-url", "-f": "--find-links"]
        var options: [String] = [], rest = arguments[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts.first.map { long[$0] ?? $0 } ?? ""
            if name == "--no-index" { options.append(name) }
            guard ["--index-url", "--extra-index-url", "--find-links"].contains(name) else { continue }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { break }
            options.append("\(name)=\(value)")
        }
        return options
    }
}
