/// How a program was installed.
///
/// ``of(_:_:)`` knows only the path without symbolic links and the environment; ``find(path:environment:reader:)`` reads files too.
package enum InstallSource {
    /// One way to install a program.
    private struct Row {
        /// The value of the fact `source`.
        let name: String
        /// Whether a path belongs to it.
        let matches: @Sendable (_ path: Path, _ environment: [String: String]) -> Bool

        init(_ name: String, _ matches: @escaping @Sendable (_ path: Path, _ environment: [String: String]) -> Bool) {
            (self.name, self.matches) = (name, matches)
        }

        /// A path that begins with or contains one of these sequences of folders.
        init(_ name: String, below starts: [String] = [], containing parts: [String] = []) {
            self.init(name) { path, _ in starts.contains(where: path.isBelow) || parts.contains(where: path.contains) }
        }
    }

    /// An absolute path with single slashes between its parts and none at its end.
    private struct Path {
        let text: String

        init?(_ text: String) {
            guard text.hasPrefix("/") else { return nil }
            self.text = "/" + text.split(separator: "/").joined(separator: "/")
        }

        /// Whether the path begins with a folder and goes on below it.
        func isBelow(_ folder: String) -> Bool { text.hasPrefix(folder + "/") }

        /// Whether the folders follow each other somewhere in the path, before its last part.
        func contains(_ folders: String) -> Bool { text.contains("/\(folders)/") }

        /// Whether the path is below the folder that a variable names, or below a folder in it.
        func isBelow(_ environment: [String: String], _ variable: String, _ folder: String = "") -> Bool {
            guard let start = environment[variable], start.hasPrefix("/") else { return false }
            return Path("\(start)/\(folder)").map { isBelow($0.text) } ?? false
        }
    }

    /// The first row that matches counts, so what is installed inside of something else comes before it.
    private static let rows: [Row] = [
        Row("snap", below: ["/snap", "/var/lib/snapd/snap"]),
        Row("flatpak") { path, environment in
            path.contains("flatpak/app") || (environment["FLATPAK_ID"]?.isEmpty == false && path.isBelow("/app"))
        },
        Row("appimage") { path, environment in
            environment["APPIMAGE"]?.isEmpty == false && path.text.contains("/.mount_")
        },
        Row("nix", below: ["/nix/store"]),
        Row("guix", below: ["/gnu/store"]),
        Row("pipx", containing: ["pipx/venvs"]),
        Row("uv", containing: ["uv/tools"]),
        Row("conda") { path, _ in path.text.split(separator: "/").dropLast().contains(where: isConda) },
        Row("pip", containing: ["site-packages", "dist-packages"]),
        Row("bun", containing: [".bun/install"]),
        Row("pnpm", containing: ["pnpm/global", ".pnpm"]),
        Row("yarn", containing: ["yarn/global"]),
        Row("npm", containing: ["node_modules"]),
        Row("cargo") { path, environment in
            path.contains(".cargo/bin") || path.isBelow(environment, "CARGO_HOME", "bin")
                || path.isBelow(environment, "CARGO_INSTALL_ROOT", "bin")
        },
        Row("go") { path, environment in
            path.isBelow(environment, "GOBIN") || path.isBelow(environment, "GOPATH", "bin")
                || path.isBelow(environment, "HOME", "go/bin")
        },
        Row("gem", containing: [".gem/ruby", "ruby/gems", "lib/gems"]),
        Row("dotnet", containing: [".dotnet/tools"]),
        Row("sdkman", containing: [".sdkman/candidates"]),
        Row("asdf", containing: [".asdf/installs"]),
        Row("mise", containing: ["mise/installs"]),
        Row("homebrew", below: ["/opt/homebrew"], containing: ["Cellar", "Caskroom"]),
        Row("macports", below: ["/opt/local"]),
    ]

    /// How a program was installed, as far as its path says it.
    /// - Parameters:
    ///   - executable: the path of its executable without symbolic links; nil if it is not known.
    ///   - environment: the variables of the process.
    /// - Returns: `unknown` if the path does not say it.
    package static func of(_ executable: String?, _ environment: [String: String]) -> String {
        guard let path = executable.flatMap(Path.init) else { return MachineFacts.unknown }
        return rows.first { $0.matches(path, environment) }?.name ?? MachineFacts.unknown
    }

    private static func isConda(_ folder: Substring) -> Bool {
        let name = folder.lowercased()
        return ["anaconda", "miniconda", "miniforge", "mambaforge", "micromamba", ".conda"].contains(where: name.hasPrefix)
    }
}
