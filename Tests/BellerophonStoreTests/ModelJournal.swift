import Foundation
import Synchronization

@testable import BellerophonStore

/// A shared journal in memory, for tests without a database. Each of its values is a connection of one server; see ``SharedJournalTests``
/// for what it has in common with the one in PostgreSQL.
final class ModelJournal: SharedJournal, Sendable {
    private let model: Model
    /// How many commits it knew at the end of its last wait.
    private let known = Mutex(0)

    init() { model = Model() }

    private init(_ model: Model) { self.model = model }

    deinit { model.locked { if $0.leader == ObjectIdentifier(self) { $0.leader = nil } } }

    /// The connection of another server.
    func another() -> ModelJournal { ModelJournal(model) }

    /// What all servers share.
    ///
    /// It is unchecked because a condition guards what it changes, and one server at a time has the turn.
    private final class Model: @unchecked Sendable {
        struct Committed {
            var identity = StoreIdentity.make().text
            var rows: [SharedRow] = []
            var contents: [String: Data] = [:]

            func page(from id: Int64, _ limit: Int) -> [SharedRow] {
                Array(rows.filter { $0.id >= id }.sorted { $0.id < $1.id }.prefix(limit))
            }
        }

        struct State {
            var committed = Committed()
            var properties: [String: String] = [:]
            var leader: ObjectIdentifier?
            var commits = 0
        }

        let turn = NSLock()
        let condition = NSCondition()
        private var state = State()

        func locked<Value>(_ work: (inout State) throws -> Value) rethrows -> Value {
            condition.lock()
            defer { condition.unlock() }
            return try work(&state)
        }
    }

    func rows(from id: Int64, limit: Int) throws(StoreError) -> [SharedRow] {
        model.locked { $0.committed.page(from: id, limit) }
    }

    func change(from id: Int64, limit: Int, _ work: (any SharedChange) throws -> Void) throws {
        guard model.turn.lock(before: Date(timeIntervalSinceNow: TimeInterval(Store.busyLimit.components.seconds))) else {
            throw StoreError(.busy, "another server publishes")
        }
        defer { model.turn.unlock() }
        try work(Change(model, from: id, limit))
    }

    func confirm() throws(StoreError) {}
    func tryChange() throws(StoreError) {}

    func waitForRows(_ time: Duration) throws(StoreError) {
        let (end, before) = (Date(timeIntervalSinceNow: Double(time.milliseconds) / 1000), known.withLock { $0 })
        let commits = model.locked { state in
            while state.commits == before, model.condition.wait(until: end) {}
            return state.commits
        }
        known.withLock { $0 = commits }
    }

    func lead() throws(StoreError) -> SharedLead {
        model.locked { state in
            if state.leader == nil { state.leader = ObjectIdentifier(self) }
            return SharedLead(leads: state.leader == ObjectIdentifier(self))
        }
    }

    func now() throws(StoreError) -> Date { Date() }
    func setProperty(_ name: String, _ value: String) throws(StoreError) { model.locked { $0.properties[name] = value } }

    func property(_ name: String) throws(StoreError) -> String? {
        model.locked { name == "identity" ? $0.committed.identity : $0.properties[name] }
    }

    func content(_ sha256: String, from offset: Int64, count: Int) throws(StoreError) -> Data? {
        model.locked { $0.committed.contents[sha256].map { Data($0.dropFirst(Int(offset)).prefix(count)) } }
    }

    func save(_ content: Data, sha256: String) throws(StoreError) -> Bool {
        model.locked { $0.committed.contents.updateValue(content, forKey: sha256) == nil }
    }

    /// What it has is not seen before ``commit()``.
    private final class Change: SharedChange {
        let rows: [SharedRow]
        let now = Date()
        let waited: Int64 = 0
        private let model: Model
        private var changed: Model.Committed

        init(_ model: Model, from id: Int64, _ limit: Int) {
            self.model = model
            changed = model.locked { $0.committed }
            rows = changed.page(from: id, limit)
        }

        func readTime() throws(StoreError) -> Date { Date() }
        func hasContent(_ sha256: String) throws(StoreError) -> Bool { changed.contents[sha256] != nil }
        func save(_ content: Data, sha256: String) throws(StoreError) { changed.contents[sha256] = content }
        func removeContent(_ sha256: String) throws(StoreError) { changed.contents[sha256] = nil }
        func confirm() throws(StoreError) {}
        func adopt(_ identity: String) throws(StoreError) { changed.identity = identity }

        func add(_ rows: [SharedRow]) throws(StoreError) {
            for row in rows {
                guard !changed.rows.contains(where: { $0.id == row.id }) else { throw StoreError(.failed, "there is such a row") }
                changed.rows.append(row)
            }
        }

        func commit() throws(StoreError) {
            model.locked { state in
                state.committed = changed
                state.commits += 1
            }
            model.condition.broadcast()
        }
    }
}

extension SharedJournal {
    /// Commits rows.
    func commit(_ rows: [SharedRow]) throws {
        try change(from: 1, limit: 1) { change in
            try change.add(rows)
            try change.commit()
        }
    }
}

extension SharedRow {
    init(_ values: [JournalColumn: String], digest: String) {
        self.init(values: JournalColumn.allCases.map { values[$0] }, digest: digest)
    }
}
