import Foundation

/// The file of a guarded program, after the checks that an install requires.
struct GuardedProgramFile {
    let facts: stat

    /// - Throws: ``GuardInstallError`` if there is no executable file, if every user can change it or a folder on its path, or
    ///   if it is itself a wrapper, which could start itself without end.
    init(_ path: AbsolutePath, in folder: GuardFolder) throws(GuardInstallError) {
        let place: TrustedPath.Place
        do throws(TrustError) {
            place = try TrustedPath(root: folder.root, rule: .program).resolve(path.text)
            try place.checkExecutable(path)
        } catch {
            throw GuardInstallError(error, ifMissing: "install the program, or correct the profile")
        }
        if let mark = Self.mark(of: place.path) {
            throw GuardInstallError(
                .configuration, "\(path) is the wrapper of the profile \(mark.profile); name the program behind it")
        }
        facts = place.facts
    }

    /// The mark of a wrapper. A program that only its owner can read has none.
    private static func mark(of path: String) -> GuardWrapper.Mark? {
        guard let file = try? OpenFile(path), let start = try? file.start(limit: 1024) else { return nil }
        return GuardWrapper.mark(in: String(decoding: start, as: UTF8.self))
    }
}

extension TrustedPath.Place {
    /// - Parameter path: the path as the administrator wrote it, for the error.
    func checkExecutable(_ path: AbsolutePath) throws(TrustError) {
        guard facts.st_mode & S_IFMT == S_IFREG else { throw TrustError(path.text, .notFile(OpenFile.kind(of: facts))) }
        guard facts.isExecutableFile else { throw TrustError(path.text, .notExecutable) }
    }
}

extension stat {
    /// Whether it is a regular file that at least one user may execute.
    var isExecutableFile: Bool { st_mode & S_IFMT == S_IFREG && st_mode & 0o111 != 0 }
}
