import Foundation

/// Follows a path and checks every folder on it.
///
/// The folders are checked from the top down. Nobody but the accepted owners can exchange an entry of a folder that has
/// passed, so what was checked is still there when it is opened by the returned path. A symbolic link on the way is followed
/// because its folder has passed, and the folders of its target are checked in the same way.
struct TrustedPath {
    /// The folder where the checks begin; folders above it are not checked. `/`, except in tests.
    let root: String
    let rule: TrustRule

    /// The limit of Linux (path_resolution(7)).
    private static let linkLimit = 40

    /// What a path leads to.
    struct Place {
        /// The path without symbolic links.
        let path: String
        let facts: stat
    }

    /// Follows an absolute path to its end, also through a symbolic link there.
    func resolve(_ path: String) throws(TrustError) -> Place {
        var (folder, parts) = split(path)
        var place = try checkedFolder(folder)
        var links = 0
        while let part = parts.popLast() {
            guard part != ".." else {
                place = try checkedFolder(parent(of: folder))
                folder = place.path
                continue
            }
            let entry = PathText.join(folder, part)
            let facts = try Self.facts(of: entry)
            if facts.st_mode & S_IFMT == S_IFLNK {
                links += 1
                guard links <= Self.linkLimit else { throw TrustError(path, .tooManyLinks) }
                let target = try Self.target(of: entry)
                if target.utf8.first == UInt8(ascii: "/") {
                    let (top, rest) = split(target)
                    place = try checkedFolder(top)
                    folder = top
                    parts += rest
                } else {
                    parts += Self.reversed(PathText.parts(of: target)[...])
                }
                continue
            }
            guard parts.isEmpty || facts.st_mode & S_IFMT == S_IFDIR else { throw TrustError(entry, .notFolder) }
            try rule.check(facts, entry)
            place = Place(path: entry, facts: facts)
            folder = entry
        }
        return place
    }

    /// Like ``resolve(_:)`` for a path that must lead to a folder.
    func folder(_ path: String) throws(TrustError) -> String {
        let place = try resolve(path)
        guard place.facts.st_mode & S_IFMT == S_IFDIR else { throw TrustError(path, .notFolder) }
        return place.path
    }

    private func checkedFolder(_ path: String) throws(TrustError) -> Place {
        let facts = try Self.facts(of: path)
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw TrustError(path, .notFolder) }
        try rule.check(facts, path)
        return Place(path: path, facts: facts)
    }

    /// The folder where the checks of an absolute path begin, and the parts below it in reverse order.
    private func split(_ path: String) -> (String, [String]) {
        let (parts, top) = (PathText.parts(of: path), PathText.parts(of: root))
        guard parts.starts(with: top) else { return ("/", Self.reversed(parts[...])) }
        return (root, Self.reversed(parts.dropFirst(top.count)))
    }

    private static func reversed(_ parts: ArraySlice<String>) -> [String] { parts.filter { $0 != "." }.reversed() }

    private func parent(of folder: String) -> String { folder == root ? folder : PathText.split(folder).folder }

    private static func facts(of path: String) throws(TrustError) -> stat {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { throw TrustError(path, errno == ENOENT ? .missing : .system(errno)) }
        return facts
    }

    private static func target(of link: String) throws(TrustError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        guard count >= 0 else { throw TrustError(link, .system(errno)) }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
