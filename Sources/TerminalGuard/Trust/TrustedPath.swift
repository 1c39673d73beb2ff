import BellerophonBase
import Foundation

/// Follows a path and checks every folder on it.
///
/// The folders are checked from the top down. Nobody but the accepted owners can exchange an entry of a folder that has
/// passed, so what was checked is still there when it is opened by the returned path. A symbolic link on the way is followed
/// because its folder has passed, and the folders of its target are checked in the same way.
struct TrustedPath {
    /// Who may own the files and folders of a path, and who may change them.
    struct Rule: Equatable, Sendable {
        /// The only owner; nil accepts every owner.
        let owner: uid_t?
        /// The permissions that must not be set. A sticky folder is no exception: in it, every user can create files.
        let refused: mode_t

        /// For what decides about other users' programs: profiles and the settings they name.
        static func exclusive(_ owner: uid_t) -> Rule { Rule(owner: owner, refused: 0o022) }

        /// For folders of installed programs. Some systems let a group of administrators write there, such as `staff` in
        /// `/usr/local`.
        static func installed(_ owner: uid_t) -> Rule { Rule(owner: owner, refused: 0o002) }

        /// For a guarded program, which may belong to the user of an application.
        static let program = Rule(owner: nil, refused: 0o002)

        /// What is wrong with the owner or the permissions of a file or a folder; nil if nothing is.
        func problem(_ facts: stat) -> PathProblem? {
            if let owner, facts.st_uid != owner { return .owner(found: facts.st_uid, expected: owner) }
            return facts.st_mode & refused == 0 ? nil : .writable(mode: facts.st_mode, refused: refused)
        }
    }

    /// What a path leads to.
    struct Place {
        /// The path without symbolic links.
        let path: String
        let facts: stat
    }

    /// The folder where the checks begin; folders above it are not checked. `/`, except in tests.
    let root: String
    let rule: Rule
    /// What to do about a missing file.
    var hint: String?

    /// The limit of Linux (path_resolution(7)).
    private static let linkLimit = 40

    /// Follows an absolute path to its end, also through a symbolic link there.
    func resolve(_ path: String) throws(GuardInstallError) -> Place {
        let (top, below) = split(path)
        var (place, parts) = (try checkedFolder(top, for: path), below)
        var links = 0
        while let part = parts.popLast() {
            guard part != ".." else {
                place = try checkedFolder(place.path == root ? root : PathText.split(place.path).folder, for: path)
                continue
            }
            let entry = PathText.join(place.path, part)
            let facts = try facts(of: entry)
            if facts.st_mode & S_IFMT == S_IFLNK {
                links += 1
                guard links <= Self.linkLimit else { throw GuardInstallError(path, .tooManyLinks) }
                let target = try Self.target(of: entry)
                if target.utf8.first == UInt8(ascii: "/") {
                    let (top, rest) = split(target)
                    place = try checkedFolder(top, for: path)
                    parts += rest
                } else {
                    parts += Self.reversed(PathText.parts(of: target)[...])
                }
                continue
            }
            guard parts.isEmpty || facts.st_mode & S_IFMT == S_IFDIR else { throw GuardInstallError(entry, .notFolder) }
            try verify(facts, entry, for: path)
            place = Place(path: entry, facts: facts)
        }
        return place
    }

    /// Like ``resolve(_:)`` for a path that must lead to a folder.
    func folder(_ path: String) throws(GuardInstallError) -> String {
        let place = try resolve(path)
        guard place.facts.st_mode & S_IFMT == S_IFDIR else { throw GuardInstallError(path, .notFolder) }
        return place.path
    }

    /// Like ``resolve(_:)`` for a path that must lead to a program.
    func program(_ path: AbsolutePath) throws(GuardInstallError) -> Place {
        let place = try resolve(path.text)
        guard place.facts.isRegularFile else {
            throw GuardInstallError(path.text, .notFile(place.facts.kindOfFile))
        }
        guard place.facts.isExecutableFile else { throw GuardInstallError(path.text, .notExecutable) }
        return place
    }

    /// Reads a small file whose folders and content only an accepted owner can change. A link at the end is not followed.
    /// - Parameter limit: the maximum size in bytes.
    func read(_ path: AbsolutePath, limit: Int) throws(GuardInstallError) -> Data {
        let file = try OpenFile.regular(PathText.join(folder(path.folder), path.name), ifMissing: hint)
        try verify(file.facts, path.text, for: path.text)
        let bytes = try file.start(limit: limit + 1) { GuardInstallError(path.text, .system($0.code)) }
        guard bytes.count <= limit else { throw GuardInstallError(path.text, .tooLarge(limit: limit)) }
        return Data(bytes)
    }

    private func checkedFolder(_ path: String, for target: String) throws(GuardInstallError) -> Place {
        let facts = try facts(of: path)
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw GuardInstallError(path, .notFolder) }
        try verify(facts, path, for: target)
        return Place(path: path, facts: facts)
    }

    private func verify(_ facts: stat, _ entry: String, for target: String) throws(GuardInstallError) {
        guard let problem = rule.problem(facts) else { return }
        let isOthers = facts.st_mode & S_IFMT == S_IFDIR && !GuardFolder.isOwn(entry, root: root)
        let canMove = !GuardFolder.isOwn(target, root: root)
        throw GuardInstallError(entry, isOthers ? .onTheWay(problem, target: target, canMove: canMove) : problem)
    }

    /// The folder where the checks of an absolute path begin, and the parts below it in reverse order.
    private func split(_ path: String) -> (String, [String]) {
        let (parts, top) = (PathText.parts(of: path), PathText.parts(of: root))
        guard parts.starts(with: top) else { return ("/", Self.reversed(parts[...])) }
        return (root, Self.reversed(parts.dropFirst(top.count)))
    }

    private static func reversed(_ parts: ArraySlice<String>) -> [String] { parts.filter { $0 != "." }.reversed() }

    private func facts(of path: String) throws(GuardInstallError) -> stat {
        if let facts = FileFacts(path: path, followsLinks: false) { return facts }
        throw GuardInstallError(path, errno == ENOENT ? .missing : .system(errno), ifMissing: hint)
    }

    private static func target(of link: String) throws(GuardInstallError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        guard count >= 0 else { throw GuardInstallError(link, .system(errno)) }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension OpenFile {
    /// Opens a regular file, and no link to one.
    static func regular(_ path: String, ifMissing hint: String? = nil) throws(GuardInstallError) -> OpenFile {
        let file = try OpenFile(path, followsLinks: false) { refusal(of: path, code: $0.code, hint) }
        guard file.facts.isRegularFile else { throw GuardInstallError(path, .notFile(file.facts.kindOfFile)) }
        return file
    }

    /// The reason for a failed open(2). A socket can't be opened, and fails with a code that does not say so.
    private static func refusal(of path: String, code: Int32, _ hint: String?) -> GuardInstallError {
        guard code != ENOENT, let facts = FileFacts(path: path, followsLinks: false) else {
            return GuardInstallError(path, code == ENOENT ? .missing : .system(code), ifMissing: hint)
        }
        return switch facts.st_mode & S_IFMT {
        case S_IFLNK: GuardInstallError(path, .link)
        case S_IFREG: GuardInstallError(path, .system(code))
        default: GuardInstallError(path, .notFile(facts.kindOfFile))
        }
    }
}

extension stat {
    /// Whether it is a regular file that at least one user may execute.
    var isExecutableFile: Bool { isRegularFile && st_mode & 0o111 != 0 }

    var kindOfFile: String {
        switch st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a regular file"
        }
    }
}
