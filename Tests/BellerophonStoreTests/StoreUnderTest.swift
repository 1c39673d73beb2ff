import BellerophonStore
import Foundation
import Synchronization
import TestSupport

/// A store on the engine of the test, with a manual clock.
final class StoreUnderTest: Sendable {
    let home: TestFolder
    let store: Store
    let clock: StillClock
    private let shared: (any SharedJournal)?

    init() async throws {
        home = try TestFolder()
        clock = StillClock()
        shared = try await Self.journal()
        store = try Store(
            folder: home.url.appendingPathComponent("store"), creates: true, shared: shared,
            clock: .still { [clock] in clock.now })
    }

    /// A new shared journal; nil for a store of one machine.
    static func journal() async throws -> (any SharedJournal)? {
        #if Postgres
        if Engine.present == .postgres { return PostgresJournal(try await StoreDatabases.make()) }
        #endif
        return nil
    }

    /// Takes what other machines have published. A server is told of it; a store alone is not.
    func catchUp() throws { try store.catchUp() }

    /// The view of another process: the same folder, opened again; in PostgreSQL, that of another machine.
    func reopened() throws -> Store {
        let folder = shared == nil ? store.folder : home.url.appendingPathComponent("other")
        return try Store(folder: folder, creates: true, shared: shared, clock: .still { [clock] in clock.now })
    }

    /// The view of another process of this machine.
    func reopenedHere() throws -> Store {
        try Store(folder: store.folder, creates: true, shared: shared, clock: .still { [clock] in clock.now })
    }

    @discardableResult
    func put(_ name: String, _ text: String, version: Int64? = nil) async throws -> ResourcePut {
        let file = try home.write(text, to: "resource.txt")
        return try await store.putResource(name, file: URL(fileURLWithPath: file), version: version, by: "ada")
    }

    func document(_ scope: Scope = .main) throws -> String? {
        try store.status(scope).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The regular files in a folder of the store, as relative paths.
    func files(_ folder: String) throws -> [String] {
        let base = store.folder.appendingPathComponent(folder).path
        return try FileManager.default.subpathsOfDirectory(atPath: base).filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(base)/\(name)", isDirectory: &isDirectory) && !isDirectory.boolValue
        }
    }
}

/// A wall clock that the test sets.
final class StillClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_764_050_400.123))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0.addTimeInterval(seconds) }
    }
}

/// The error that the work throws; nil if it succeeds.
func storeError(_ work: () async throws -> some Any) async -> StoreError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? StoreError
    }
}
