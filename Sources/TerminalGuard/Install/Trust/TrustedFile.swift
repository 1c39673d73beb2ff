import Foundation

/// Reads small regular files without following a symbolic link at the end of the path.
enum TrustedFile {
    /// Reads a file whose folders and content only an accepted owner can change.
    /// - Parameter limit: the maximum size in bytes.
    static func read(_ path: AbsolutePath, below root: String, _ rule: TrustRule, limit: Int) throws(TrustError) -> Data {
        let folder = try TrustedPath(root: root, rule: rule).folder(path.folder)
        let file = try OpenFile(PathText.join(folder, path.name))
        try rule.check(file.facts, path.text)
        return try file.read(limit: limit)
    }
}
