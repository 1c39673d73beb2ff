import Foundation
import Synchronization

/// Files of resources that are not as they were published.
package struct ContentDamage: Equatable, Sendable {
    /// How many of them could not be repaired.
    package var files: Int
    /// How often a file was found damaged or missing since the start, repaired or not.
    package var found: Int64

    package init(files: Int = 0, found: Int64 = 0) { (self.files, self.found) = (files, found) }
}

/// Which files of resources were read and had their digest, and which did not.
///
/// A file that was verified is read again only after the file system has noted a change of it.
final class VerifiedContent: Sendable {
    private struct State {
        var sound: [String: FileStamp] = [:]
        /// By digest; the value's stamp is nil for a file that is missing.
        var damaged: [String: FileStamp?] = [:]
        var found: Int64 = 0
    }

    private let state = Mutex(State())

    /// Of more files some are verified again.
    private static let limit = 100_000

    func isSound(_ sha256: String, _ stamp: FileStamp) -> Bool { state.withLock { $0.sound[sha256] == stamp } }

    /// Whether a file was found damaged, and is as it was then.
    /// - Parameter stamp: nil for a missing file.
    func isDamaged(_ sha256: String, _ stamp: FileStamp?) -> Bool {
        state.withLock { state in state.damaged[sha256].map { $0 == stamp } ?? false }
    }

    /// Notes a file with the right bytes.
    /// - Returns: whether it was damaged before.
    @discardableResult
    func add(_ sha256: String, _ stamp: FileStamp) -> Bool {
        state.withLock { state in
            if state.sound.count >= Self.limit, let some = state.sound.keys.first { state.sound[some] = nil }
            state.sound[sha256] = stamp
            return state.damaged.removeValue(forKey: sha256) != nil
        }
    }

    /// Notes a damaged file.
    /// - Returns: whether that is news.
    func addDamaged(_ sha256: String, _ stamp: FileStamp?) -> Bool {
        state.withLock { state in
            state.sound[sha256] = nil
            if let known = state.damaged[sha256], known == stamp { return false }
            state.damaged[sha256] = .some(stamp)
            state.found += 1
            return true
        }
    }

    /// Forgets a file that is needed no more.
    func remove(_ sha256: String) {
        state.withLock { state in
            state.sound[sha256] = nil
            state.damaged.removeValue(forKey: sha256)
        }
    }

    var damaged: [String] { state.withLock { $0.damaged.keys.sorted() } }

    var damage: ContentDamage {
        state.withLock { ContentDamage(files: $0.damaged.count, found: $0.found) }
    }
}
