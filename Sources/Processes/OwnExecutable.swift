import Foundation

/// The path by which a running program can be started again.
package enum OwnExecutable {
    /// The path of this process, found now. Ask for it early: an update replaces the file, and the path is not recognised afterwards.
    ///
    /// Prefers the path that the program was started by. The system's path has no symbolic links, so it would name one version
    /// of a package (`/opt/bellerophon/1.2/bin/bellerophon`) and be missing after the next update.
    /// - Parameters:
    ///   - invocation: the first argument of the process.
    ///   - searchPath: the value of PATH.
    ///   - currentFolder: an absolute path.
    ///   - actual: the path of the running executable by the system; the result if no other path leads to the same file.
    package static func path(
        invocation: String = arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? "",
        searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? "",
        currentFolder: String = FileManager.default.currentDirectoryPath, actual: String = actual
    ) -> String {
        let started =
            invocation.contains("/")
            ? URL(fileURLWithPath: invocation, relativeTo: URL(fileURLWithPath: currentFolder, isDirectory: true))
                .standardizedFileURL.path : ProgramSearch.first(invocation, in: searchPath)
        guard let started, isSameFile(started, actual) else { return actual }
        return started
    }

    /// All arguments of this process with its own name. `CommandLine.arguments` replaces bytes that are not UTF-8.
    package static var ownArguments: [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}

/// Finds the program that a shell starts for a name.
package enum ProgramSearch {
    /// The path of the first executable file with a name.
    /// - Parameter searchPath: the value of PATH. Entries that are empty or relative depend on the current folder and are ignored.
    package static func first(_ name: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
            .map { $0.hasSuffix("/") ? "\($0)\(name)" : "\($0)/\(name)" }
            .first { path in
                var facts = stat()
                return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
            }
    }
}
