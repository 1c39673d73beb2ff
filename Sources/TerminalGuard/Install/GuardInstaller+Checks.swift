import BellerophonBase
import Foundation

extension GuardInstaller {
    /// The wrapper starts this executable for every user of the program.
    func checkBellerophon(_ path: AbsolutePath) throws(GuardInstallError) {
        _ = try TrustedPath(root: folder.root, rule: .installed(folder.owner), hint: "install bellerophon first").program(path)
    }

    /// Checks a guarded program: it is executable, not every user can change it or a folder on its path, and it is not itself a
    /// wrapper, which could start itself without end.
    @discardableResult
    func checkProgram(_ path: AbsolutePath) throws(GuardInstallError) -> stat {
        let trusted = TrustedPath(root: folder.root, rule: .program, hint: "install the program, or correct the profile")
        let place = try trusted.program(path)
        // A program that only its owner can read has no mark.
        if let file = try? OpenFile.regular(place.path), let start = try? file.start(limit: 1024),
            let mark = GuardWrapper.mark(in: String(decoding: start, as: UTF8.self))
        {
            throw GuardInstallError(
                .configuration, "\(path) is the wrapper of the profile \(mark.profile); name the program behind it")
        }
        return place.facts
    }

    /// Checks the command that prints the version as the guarded program itself. It is not run.
    func checkVersionCommand(of profile: GuardProfile) throws(GuardInstallError) {
        guard let path = profile.versionCommand?.arguments.first.flatMap(AbsolutePath.init), path != profile.program else {
            return
        }
        try checkProgram(path)
    }

    /// A note for each file that the wrapper needs and that only its owner can use: the wrapper would fail for other users, or
    /// start the program without the guard. An administrator whose umask is 077 creates such files without noticing it.
    func accessNotes(_ profile: GuardProfile, bellerophon: AbsolutePath) -> [String] {
        var needed = [(AbsolutePath(folder.file(of: profile.name)), false), (bellerophon, true)]
        if case .file(let path) = profile.source { needed.append((path, false)) }
        let obstacles = needed.compactMap { path, isProgram in path.flatMap { obstacle(on: $0, isProgram: isProgram) } }
        return obstacles.map { "only its owner can use \($0.path), so other users can't use the guard; \($0.advice)" }
    }

    /// The first folder on a path that only its owner can enter, or the file itself if only its owner can use it, with
    /// advice; nil if nothing is in the way. A folder that is not the guard's stays closed.
    private func obstacle(on path: AbsolutePath, isProgram: Bool) -> (path: String, advice: String)? {
        let top = PathText.parts(of: folder.root).count
        let parts = PathText.parts(of: path.text)
        for count in parts.indices.dropFirst(top).map({ $0 + 1 }) {
            let entry = "/" + parts[..<count].joined(separator: "/")
            let needed: (bits: mode_t, letter: String) = count < parts.count || isProgram ? (0o011, "x") : (0o044, "r")
            guard let facts = FileFacts(path: entry), facts.st_mode & needed.bits == 0 else { continue }
            guard count == parts.count || GuardFolder.isOwn(entry, root: folder.root) else {
                let canMove = !GuardFolder.isOwn(path.text, root: folder.root)
                return (
                    entry,
                    canMove
                        ? "put \(path.text) into a folder that every user can enter, such as /usr/local/bin"
                        : "who administers this machine must decide about that folder"
                )
            }
            return (entry, "run: chmod go+\(needed.letter) '\(entry)'")
        }
        return nil
    }
}
