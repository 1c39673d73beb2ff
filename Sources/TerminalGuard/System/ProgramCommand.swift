import Bellerophon
import BellerophonBase
internal import CPty
import Foundation
import Processes

/// A program with its arguments and environment, as bytes, because file names and values need not be UTF-8.
package struct ProgramCommand: Equatable, Sendable {
    /// The arguments; the first one is the program's name or path.
    package var arguments: [[UInt8]]
    package var environment: ProcessVariables
    /// The paths at which the program is looked for, in order; empty to search for its name.
    package var paths: [[UInt8]] = []
    /// The variable in which the program finds a mark that names its own process (``ProcessMark``); nil for none.
    package var markVariable: String?

    package init(arguments: [[UInt8]], environment: ProcessVariables = .current) {
        (self.arguments, self.environment) = (arguments, environment)
    }

    package init(_ arguments: [String], environment: ProcessVariables = .current) {
        self.init(arguments: arguments.map { Array($0.utf8) }, environment: environment)
    }

    /// The last arguments of this process, unchanged. `CommandLine.arguments` replaces bytes that are not UTF-8.
    /// - Parameter count: how many; clamped to those that exist, without the process's own name.
    package static func lastArguments(_ count: Int) -> [[UInt8]] {
        OwnExecutable.ownArguments.dropFirst().suffix(max(0, count))
    }

    /// The name for messages.
    package var name: String { String(decoding: arguments.first ?? [], as: UTF8.self) }

    /// The paths at which the program is looked for, in order, as execvp(3) does with the program's own `PATH`.
    package var candidates: [[UInt8]] {
        guard paths.isEmpty else { return paths }
        guard let name = arguments.first, !name.isEmpty else { return [] }
        let slash = UInt8(ascii: "/")
        if name.contains(slash) { return [name] }
        let path = environment.bytes(of: "PATH") ?? Self.defaultPath[...]
        // An empty element is the working directory.
        return path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { folder in
            folder.isEmpty ? name : Array(folder) + [slash] + name
        }
    }

    /// How the program is installed; nil if there is no such program.
    ///
    /// Of an interpreter with a script, such as `python3 notes.py`, it is the script. With another argument (`python3 -m notes`) it is
    /// not known what runs, so the source is `unknown`.
    package var installation: Installation? {
        guard let executable else { return nil }
        let environment = environment.texts
        guard arguments.count > 1, Self.isInterpreter(executable) else {
            return InstallSource.find(path: executable, environment: environment)
        }
        let script = Self.absolute(String(decoding: arguments[1], as: UTF8.self))
        guard SystemFiles().isFile(script) else {
            return Installation(
                source: MachineFacts.unknown, path: executable, file: SystemFiles().realPath(executable) ?? executable)
        }
        return InstallSource.find(path: script, environment: environment)
    }

    /// The fact `source` of the program.
    package var source: String { installation?.source ?? MachineFacts.unknown }

    /// The absolute path of the program's file, with its links; nil if there is none.
    private var executable: String? {
        candidates.lazy.map { String(decoding: $0, as: UTF8.self) }.first {
            FileFacts(path: $0)?.isExecutableFile ?? false
        }.map(Self.absolute)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func isInterpreter(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let plain = name.prefix { !$0.isNumber }
        return ["python", "pypy", "perl", "ruby", "node", "nodejs", "php", "lua", "bash", "sh", "dash", "zsh", "ksh"]
            .contains { $0 == plain }
    }

    /// The search path of execvp(3) without `PATH`.
    private static let defaultPath = Array("/bin:/usr/bin".utf8)

    /// Whether a byte 0 would cut one of the texts.
    var isTruncated: Bool { (arguments + environment.entries).contains { $0.contains(0) } }
}
