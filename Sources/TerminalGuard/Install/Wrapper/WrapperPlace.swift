import BellerophonBase
import Foundation

/// The place of a profile's wrapper: what is there, and how it is written and removed.
struct WrapperPlace {
    /// What is at the place.
    enum Content: Equatable, Sendable {
        case nothing
        /// The profile's wrapper as it was written. The text says what is wrong with the file's owner or permissions; nil if
        /// nothing is.
        case wrapper(GuardWrapper, defect: String?)
        /// The wrapper of another profile.
        case ofProfile(GuardProfileName)
        /// Something that `install` did not write, or that was changed since; the text completes "PATH …". `isMarked`: whether it
        /// says that it is a wrapper of the profile.
        case foreign(String, isMarked: Bool)
    }

    /// Writes a file. Tests replace it by one that fails, as on a full disk.
    typealias Writer = @Sendable (_ data: Data, _ path: String, _ isReplacement: Bool) throws(FileError) -> Void

    private static let mode: mode_t = 0o755

    let path: AbsolutePath
    let profile: GuardProfileName
    /// The path without symbolic links.
    private let file: String
    private let owner: uid_t

    /// Checks the folder and those above it.
    init(
        _ path: AbsolutePath, of profile: GuardProfileName, in place: GuardFolder, ifMissing hint: String? = nil
    ) throws(GuardInstallError) {
        let folder = try TrustedPath(root: place.root, rule: .installed(place.owner), hint: hint).folder(path.folder)
        (self.path, self.profile, owner, file) = (path, profile, place.owner, PathText.join(folder, path.name))
    }

    func content() throws(GuardInstallError) -> Content {
        let (data, facts): ([UInt8], stat)
        do throws(GuardInstallError) {
            let open = try OpenFile.regular(file)
            data = try open.start(limit: GuardWrapper.sizeLimit + 1) { GuardInstallError(file, .system($0.code)) }
            facts = open.facts
        } catch {
            switch error.pathProblem {
            case .missing: return .nothing
            case .link: return .foreign("is a symbolic link", isMarked: false)
            case .notFile(let kind): return .foreign("is \(kind)", isMarked: false)
            default: throw error
            }
        }
        if let text = String(validating: data, as: UTF8.self), let wrapper = GuardWrapper(parsing: text) {
            return wrapper.profile == profile ? .wrapper(wrapper, defect: defect(facts)) : .ofProfile(wrapper.profile)
        }
        guard let mark = GuardWrapper.mark(in: String(decoding: data, as: UTF8.self)) else {
            return .foreign("was not written by bellerophon guard install", isMarked: false)
        }
        return .foreign(
            mark.format > GuardWrapper.format
                ? "was written by a newer version of bellerophon (format \(mark.format))"
                : "was changed after bellerophon guard install had written it", isMarked: mark.profile == profile)
    }

    private func defect(_ facts: stat) -> String? {
        guard facts.st_uid == owner else { return "belongs to \(PathProblem.user(facts.st_uid))" }
        let mode = facts.st_mode & 0o7777
        return mode == Self.mode ? nil : "has the mode \(PathProblem.octal(mode)) instead of \(PathProblem.octal(Self.mode))"
    }

    /// Whether this place and another path lead to the same file.
    func isSameFile(as other: stat) -> Bool {
        FileFacts(path: file)?.isSameFile(as: other) ?? false
    }

    // MARK: Changes

    /// Writes a wrapper, whole or not at all.
    /// - Parameter isReplacement: whether a file is expected there; otherwise it is an error if one has appeared.
    func write(_ wrapper: GuardWrapper, isReplacement: Bool, with writer: Writer) throws(GuardInstallError) {
        do throws(FileError) {
            try writer(Data(wrapper.text.utf8), file, isReplacement)
        } catch {
            throw GuardInstallError(error)
        }
    }

    static let writer: Writer = { (data, path, isReplacement) throws(FileError) in
        try FileCalls.replace(path, with: data, draft: draft(of: path), mode: mode, createsOnly: !isReplacement)
    }

    /// Removes the file, and what a crash in the middle of a write has left.
    func remove() throws(GuardInstallError) {
        do throws(FileError) {
            try FileCalls.remove(file, draft: Self.draft(of: file))
        } catch {
            throw GuardInstallError(error)
        }
    }

    /// The temporary file of a write. After a crash it can remain; the next write of the same file replaces it.
    private static func draft(of path: String) -> String {
        let (folder, name) = PathText.split(path)
        return PathText.join(folder, ".\(name).bellerophon-new")
    }
}
