package import Foundation

/// What the system knows about a file.
package typealias FileFacts = stat

extension stat {
    /// The facts of an open file; nil after an error, which `errno` has.
    package init?(descriptor: Int32) {
        self.init()
        guard fstat(descriptor, &self) == 0 else { return nil }
    }

    /// The facts of what a path leads to; nil after an error, which `errno` has.
    /// - Parameter followsLinks: whether those of a link at its end are those of its target.
    package init?(path: String, followsLinks: Bool = true) {
        self.init()
        guard fstatat(AT_FDCWD, path, &self, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    }

    package var isRegularFile: Bool { isKind(S_IFREG) }

    package func isKind(_ kind: mode_t) -> Bool { st_mode & S_IFMT == kind }

    package func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
