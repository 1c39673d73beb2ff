import Synchronization

/// Files of resources that are not as they were published.
package struct ContentDamage: Equatable, Sendable {
    /// How many of them could not be repaired.
    package var files = 0
    /// How often a file was found damaged or missing since the start, repaired or not.
    package var found: Int64 = 0
}

/// Which files of resources were read and had their digest, and which did not.
///
/// A file that was verified is read again only after the file system has noted a change of it.
final class VerifiedContent: Sendable {
    private struct File: Equatable {
        /// Nil for a file that is missing.
        let stamp: FileStamp?
        let isSound: Bool
    }

    private struct State {
        /// By digest.
        var files: [String: File] = [:]
        var found: Int64 = 0
    }

    private let state = Mutex(State())

    /// Of more files some are verified again.
    private static let limit = 100_000

    /// Whether a file was found to be sound or damaged, and is as it was then.
    /// - Parameter stamp: nil for a missing file.
    func has(_ sha256: String, _ stamp: FileStamp?, isSound: Bool) -> Bool {
        state.withLock { $0.files[sha256] == File(stamp: stamp, isSound: isSound) }
    }

    /// Adds what was found of a file.
    /// - Returns: whether that is news: damage that was not known, or its end.
    @discardableResult
    func add(_ sha256: String, _ stamp: FileStamp?, isSound: Bool = true) -> Bool {
        state.withLock { state in
            let file = File(stamp: stamp, isSound: isSound)
            if state.files.count >= Self.limit, let some = state.files.first(where: \.value.isSound) {
                state.files[some.key] = nil
            }
            let former = state.files.updateValue(file, forKey: sha256)
            if isSound { return former?.isSound == false }
            if former != file { state.found += 1 }
            return former != file
        }
    }

    /// Removes a file that is needed no more.
    func remove(_ sha256: String) { state.withLock { $0.files[sha256] = nil } }

    var damaged: [String] { state.withLock { $0.files.filter { !$0.value.isSound }.keys.sorted() } }

    var damage: ContentDamage {
        state.withLock { state in ContentDamage(files: state.files.count { !$0.value.isSound }, found: state.found) }
    }
}
