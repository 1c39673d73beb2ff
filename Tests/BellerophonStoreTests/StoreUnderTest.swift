import Digests
import Foundation
import StatusModel
import TestSupport

@testable import BellerophonStore

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
        try await store.put(name, text, version: version)
    }

    func document(_ scope: Scope = .main) throws -> String? {
        try store.status(scope).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// What the clients of a scope read.
    func read(_ scope: Scope = .main) throws -> StatusDocument {
        guard let status = try store.status(scope) else { throw TestError("no status of \(scope)") }
        return try StatusDocument(json: status.body)
    }

    /// What the status means for an app of a version now.
    func stage(_ scope: Scope = .main, version: String? = nil) throws -> Stage {
        try read(scope).verdict(for: AppFacts(version: version), at: clock.now).stage
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

extension Store {
    /// Publishes a text as a resource.
    @discardableResult
    func put(
        _ name: String, _ text: String, version: Int64? = nil, expected: [Digest] = [], by author: Author = "ada",
        request: RequestKey? = nil
    ) async throws -> ResourcePut {
        let incoming = try receive()
        try incoming.write(Data(text.utf8))
        return try await putResource(
            name, .content(incoming, version: version, expected: expected), by: author, request: request)
    }

    func putExternal(_ name: String, _ external: ExternalResource, by author: Author) async throws -> ResourcePut {
        try await putResource(name, .external(external), by: author)
    }

    func rollback(
        _ name: String, to version: Int64? = nil, by author: Author, reason: String? = nil, request: RequestKey? = nil
    ) async throws -> ResourceVersion {
        try await putResource(name, .older(version), by: author, reason: reason, request: request).resource
    }

    /// The newest row of a scope; nil if nothing was published for it.
    func newestRow(of scope: Scope) throws -> JournalEntry? {
        try database.read { try JournalTable(database: $0).newestRow(of: scope) }
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
