import Bellerophon
import Foundation
import Synchronization
import TestSupport

/// The real store in a file, on a disk that is sometimes full.
final class SoakStore: StatusStore {
    private let file: FileStatusStore
    private let isFull = Mutex(false)

    init(folder: TestFolder) {
        file = FileStatusStore(url: folder.url.appendingPathComponent("state/status.json"))
    }

    func setFull(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

    func load() throws -> StatusRecord? { try file.load() }

    func save(_ record: StatusRecord) throws {
        if isFull.withLock({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
        try file.save(record)
    }
}
