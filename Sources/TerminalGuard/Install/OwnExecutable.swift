import Foundation

/// The path by which a running program can be started again.
package enum OwnExecutable {
    /// Prefers the path that the program was started by. The system's path has no symbolic links, so it would name one version
    /// of a package (`/opt/bellerophon/1.2/bin/bellerophon`) and be missing after the next update.
    /// - Parameters:
    ///   - invocation: the first argument of the process.
    ///   - searchPath: the value of PATH.
    ///   - currentFolder: an absolute path.
    ///   - actual: the path of the running executable by the system; the result if no other path leads to the same file.
    /// - Returns: nil if no path is usable.
    package static func path(invocation: String, searchPath: String, currentFolder: String, actual: String) -> AbsolutePath? {
        let started =
            invocation.contains("/")
            ? URL(fileURLWithPath: invocation, relativeTo: URL(fileURLWithPath: currentFolder, isDirectory: true))
                .standardizedFileURL.path : SearchPath(searchPath).first(invocation)
        guard let started, isSameFile(started, actual) else { return AbsolutePath(actual) }
        return AbsolutePath(started) ?? AbsolutePath(actual)
    }

    private static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(left, &one) == 0 && stat(right, &other) == 0 && one.isSameFile(as: other)
    }
}
