import BellerophonBase
import Foundation
import Synchronization

/// Selections in a file, which survive a restart.
///
/// The file is read once, at initialisation, and replaced atomically at every change. If several processes share it,
/// none reads a partial file, and the last write wins. An unreadable file counts as empty and is replaced at the next
/// selection. If the file can't be written, selections stay in memory. ``problem`` describes both cases.
public final class FileSelectionStore: SelectionStore {
    private struct Memory {
        var selections: [String: String] = [:]
        var problem: String?
    }

    /// The file with the selections.
    public let url: URL
    private let memory: Mutex<Memory>

    /// Reads the selections from the file, if it exists.
    /// - Parameters:
    ///   - folder: if it does not exist, created at the first selection, with access for its owner only.
    ///   - name: the file name.
    public init(folder: URL, name: String = "barricade-selections.json") {
        url = folder.appendingPathComponent(name)
        memory = Mutex(Self.load(url))
    }

    /// The last problem with the file, in one sentence; nil if the last access succeeded.
    public var problem: String? { memory.withLock { $0.problem } }

    /// The name of the selected response; nil if none is selected.
    public func selection(for requestName: String) -> String? {
        memory.withLock { $0.selections[requestName] }
    }

    /// Selects a response by name, or removes the selection if nil, and saves the file.
    public func select(_ responseName: String?, for requestName: String) {
        change { $0[requestName] = responseName }
    }

    /// Removes all selections and saves the file.
    public func reset() {
        change { $0 = [:] }
    }

    /// Saves the file under the lock, so that it contains the last change.
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
            try FileCalls.makeFolder(url.deletingLastPathComponent())
            try encoder.encode(selections).write(to: url, options: .atomic)
            return nil
        } catch {
            return "the selections can't be saved to \(url.path); they last until the program ends"
        }
    }
}

extension SelectionStore where Self == FileSelectionStore {
    /// Selections in a file in that folder, which survive a restart.
    public static func file(in folder: URL) -> FileSelectionStore { FileSelectionStore(folder: folder) }
}

extension SelectionStore where Self == FileSelectionStore {
    /// Selections in the user's state folder, which survive a restart: `$XDG_STATE_HOME/NAME`, otherwise
    /// `~/.local/state/NAME` (XDG Base Directory Specification).
    /// - Parameters:
    ///   - name: the folder's name, such as the app's name.
    ///   - environment: the variables to read; by default those of the process.
    public static func userState(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FileSelectionStore {
        FileSelectionStore(folder: UserFolder.state.url(environment).appendingPathComponent(name))
    }
}
