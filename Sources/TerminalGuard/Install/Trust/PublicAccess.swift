import Foundation

/// Whether users other than the owner can use a file.
enum PublicAccess: Sendable {
    case read, execute

    /// The first folder on a path that only its owner can enter, or the file itself if only its owner can use it.
    ///
    /// An administrator whose umask is 077 creates such files without noticing it.
    /// - Parameter root: this folder and those above it are not looked at.
    /// - Returns: the path and the command that opens it; nil if nothing is in the way.
    func obstacle(on path: AbsolutePath, below root: String) -> (path: String, command: String)? {
        let top = PathText.parts(of: root).count
        let parts = PathText.parts(of: path.text)
        for count in parts.indices.dropFirst(top).map({ $0 + 1 }) {
            let entry = "/" + parts[..<count].joined(separator: "/")
            let needed: (bits: mode_t, letter: String) = count < parts.count || self == .execute ? (0o011, "x") : (0o044, "r")
            var facts = stat()
            guard stat(entry, &facts) == 0, facts.st_mode & needed.bits == 0 else { continue }
            return (entry, "chmod go+\(needed.letter) '\(entry)'")
        }
        return nil
    }
}
