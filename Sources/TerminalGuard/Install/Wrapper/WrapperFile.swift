import BellerophonBase
import Foundation

/// The place of a wrapper: what is there, and how it is written and removed.
struct WrapperFile {
    /// What is at the place.
    enum Content: Equatable, Sendable {
        case nothing
        /// A wrapper as it was written. The text says what is wrong with the file's owner or permissions; nil if nothing is.
        case wrapper(GuardWrapper, defect: String?)
        /// Something that `install` did not write, or that was changed since; the text completes "PATH …".
        case foreign(String, mark: GuardWrapper.Mark?)
    }

    private static let mode: mode_t = 0o755

    let path: AbsolutePath
    /// The folder without symbolic links.
    private let folder: String
    private let owner: uid_t
    private let beforeStep: @Sendable (AtomicFile.Step) throws(FileError) -> Void

    /// Checks the folder and those above it.
    init(
        _ path: AbsolutePath, in place: GuardFolder,
        beforeStep: @escaping @Sendable (AtomicFile.Step) throws(FileError) -> Void = { (_) throws(FileError) in }
    ) throws(TrustError) {
        self.path = path
        owner = place.owner
        folder = try TrustedPath(root: place.root, rule: .installed(place.owner)).folder(path.folder)
        self.beforeStep = beforeStep
    }

    private var place: String { PathText.join(folder, path.name) }

    func content() throws(TrustError) -> Content {
        let (data, facts): (Data, stat)
        do throws(TrustError) {
            let file = try OpenFile(place)
            (data, facts) = (try file.start(limit: GuardWrapper.sizeLimit + 1), file.facts)
        } catch {
            switch error.problem {
            case .missing: return .nothing
            case .link: return .foreign("is a symbolic link", mark: nil)
            case .notFile(let kind): return .foreign("is \(kind)", mark: nil)
            default: throw error
            }
        }
        if let text = String(validating: data, as: UTF8.self), let wrapper = GuardWrapper(parsing: text) {
            return .wrapper(wrapper, defect: defect(facts))
        }
        guard let mark = GuardWrapper.mark(in: String(decoding: data, as: UTF8.self)) else {
            return .foreign("was not written by bellerophon guard install", mark: nil)
        }
        return .foreign(
            mark.format > GuardWrapper.format
                ? "was written by a newer version of bellerophon (format \(mark.format))"
                : "was changed after bellerophon guard install had written it", mark: mark)
    }

    private func defect(_ facts: stat) -> String? {
        guard facts.st_uid == owner else { return "belongs to \(TrustError.user(facts.st_uid))" }
        let mode = facts.st_mode & 0o7777
        return mode == Self.mode ? nil : "has the mode \(TrustError.octal(mode)) instead of \(TrustError.octal(Self.mode))"
    }

    /// Whether this place and another path lead to the same file.
    func isSameFile(as other: stat) -> Bool {
        var facts = stat()
        return stat(place, &facts) == 0 && facts.st_dev == other.st_dev && facts.st_ino == other.st_ino
    }

    /// - Parameter replacing: whether a file is expected there; otherwise the write fails if one has appeared.
    func write(_ wrapper: GuardWrapper, replacing: Bool) throws(FileError) {
        try file.write(Data(wrapper.text.utf8), replacing: replacing)
    }

    func remove() throws(FileError) { try file.remove() }

    private var file: AtomicFile { AtomicFile(path: place, mode: Self.mode, beforeStep: beforeStep) }
}
