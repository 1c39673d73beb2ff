import BellerophonBase
import Foundation
import Synchronization

/// Selections in a file, so that they survive a restart.
///
/// The file is read once, when the store is made, and written whole or not at all at every change: a second process
/// that uses the same file never sees half of one, and the last one to write is remembered. A file that can't be read
/// counts as empty and is replaced at the next selection; one that can't be written is remembered in memory. Both are
/// told in ``problem``.
public final class FileSelectionStore: SelectionStore {
    private struct Memory {
        var selections: [String: String] = [:]
        var problem: String?
    }

    /// Where the selections are kept.
    public let url: URL
    private let memory: Mutex<Memory>

    /// - Parameters:
    ///   - folder: made at the first selection where it is not there, for its owner only.
    ///   - name: the file's name.
    public init(folder: URL, name: String = "barricade-selections.json") {
        url = folder.appendingPathComponent(name)
        memory = Mutex(Self.load(url))
    }

    /// What went wrong last with the file, in one sentence; nil where all is well.
    public var problem: String? { memory.withLock { $0.problem } }

    public func selection(for requestName: String) -> String? {
        memory.withLock { $0.selections[requestName] }
    }

    public func select(_ responseName: String?, for requestName: String) {
        change { $0[requestName] = responseName }
    }

    public func reset() {
        change { $0 = [:] }
    }

    /// Written under the lock, so that the file ends with the last change.
    private func change(_ body: (inout [String: String]) -> Void) {
        memory.withLock { memory in
            body(&memory.selections)
            memory.problem = save(memory.selections)
        }
    }

    private static func load(_ url: URL) -> Memory {
        guard FileManager.default.fileExists(atPath: url.path) else { return Memory() }
        do {
            return Memory(selections: try JSONDecoder().decode([String: String].self, from: Data(contentsOf: url)))
        } catch is DecodingError {
            return unreadable(url, "is damaged")
        } catch {
            return unreadable(url, "can't be opened")
        }
    }

    private static func unreadable(_ url: URL, _ why: String) -> Memory {
        Memory(problem: "the selections in \(url.path) can't be read: the file \(why); it counts as empty")
    }

    private func save(_ selections: [String: String]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try encoder.encode(selections).write(to: url, options: .atomic)
            return nil
        } catch {
            return "the selections can't be saved to \(url.path); they last until the program ends"
        }
    }
}

extension SelectionStore where Self == FileSelectionStore {
    /// Selections that survive a restart, in a file in that folder.
    public static func file(in folder: URL) -> FileSelectionStore { FileSelectionStore(folder: folder) }
}

extension SelectionStore where Self == FileSelectionStore {
    /// Selections that survive a restart, in the user's state folder: `$XDG_STATE_HOME/NAME`, else
    /// `~/.local/state/NAME` (XDG Base Directory Specification).
    /// - Parameter name: a folder's name, such as the app's.
    public static func userState(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FileSelectionStore {
        FileSelectionStore(folder: UserFolder.state.url(environment).appendingPathComponent(name))
    }
}
