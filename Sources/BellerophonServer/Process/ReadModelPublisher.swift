import BellerophonStore
import Foundation
import Logging
import NIOCore
import Synchronization

/// Updates the read model after every change to the store, by this server, by a command or by time.
actor ReadModelPublisher {
    let store: any PublishedContent
    private let settings: ReadSettings
    private var signer: DocumentSigner?
    private let logger: Logger
    nonisolated let limiters: Limiters
    nonisolated let seen: Mutex<Seen>
    nonisolated let health: StoreHealth
    var readModel: ReadModel { seen.withLock { $0.readModel } }
    /// The version of the store that the read model was made from. It is kept after a failed read, so that the read is
    /// retried.
    private var dataVersion: Int64
    /// When a failed write is tried again, and the wait before that; zero while writes succeed.
    private var (nextWrite, writePause): (Date, TimeInterval) = (.distantPast, 0)
    /// The identity of the store's file when the server started.
    private let file: FileIdentity?
    /// What was logged about the clocks.
    private var clockProblem: ClockProblem?
    nonisolated let startedAt = Date()

    init(
        _ store: any PublishedContent, settings: ReadSettings, signer: DocumentSigner? = nil, limiters: Limiters, logger: Logger
    ) throws {
        self.store = store
        self.settings = settings
        self.signer = signer
        self.limiters = limiters
        self.logger = logger
        file = store.presentFile
        dataVersion = try store.dataVersion()
        let first = ReadModel(try store.snapshot(), settings: settings, signer: signer, at: store.now)
        seen = Mutex(Seen(readModel: first, served: first.snapshot.contact, nextChange: try store.nextChange()))
        health = StoreHealth(store, logger: logger)
        Self.logUnsigned(first.signed?.problems ?? [], logger)
        Self.logUnreadable(of: first.snapshot.unread, logger)
    }

    func serve(_ loops: [LoopState], _ readers: Readers? = nil) {
        seen.withLock { ($0.loops, $0.readers) = (loops, readers) }
    }

    /// Reads the store and updates every event loop.
    ///
    /// When this returns, every reply that begins has at least the store's content at the time of the call. If the
    /// store can't be read, the previous read model remains, so that a kill is not lost.
    func refresh() async {
        do {
            try await reload()
        } catch {
            fail(error)
        }
    }

    private func reload() async throws {
        // The version is read first: a later commit then causes another read.
        let version = try store.dataVersion()
        try store.lookAtKeptClock()
        let snapshot = try store.snapshot()
        let end = try store.nextChange()
        seen.withLock { $0.nextChange = end }
        dataVersion = version
        recover()
        let shown = readModel.snapshot
        if (snapshot.serial, snapshot.generation, snapshot.nextChange, snapshot.unread)
            == (shown.serial, shown.generation, shown.nextChange, shown.unread)
        {
            await settle()
        } else {
            let known = Set(shown.unread.map(\.id))
            Self.logUnreadable(of: snapshot.unread.filter { !known.contains($0.id) }, logger)
            await show(rendered(snapshot))
        }
        recordServed(snapshot.contact)
    }

    private func rendered(_ snapshot: Snapshot) -> ReadModel {
        let rendered = ReadModel(snapshot, settings: settings, signer: signer, former: readModel, at: store.now)
        if let problems = rendered.signed?.problems, problems != readModel.signed?.problems {
            Self.logUnsigned(problems, logger)
        }
        return rendered
    }

    private static func logUnsigned(_ problems: [String], _ logger: Logger) {
        for problem in problems {
            logger.error(
                "can't be signed; clients that accept only signed documents are not notified", metadata: ["problem": "\(problem)"]
            )
        }
    }

    private static func logUnreadable(of rows: [JournalEntry], _ logger: Logger) {
        for row in rows {
            logger.error(
                "a row can't be read by this version; its document is served, and nothing can be published for its scope",
                metadata: [
                    "row": "\(row.id)", "scope": "\(row.scope?.description ?? "")", "what": "\(row.unread ?? "")",
                    "do": "use the newest version of bellerophon-server; 'history verify' says whether the row is damaged",
                ])
        }
    }

    /// Replaces the signer, with another key or lifetime, and signs everything again.
    ///
    /// When this returns, every reply that begins has the new signature, and the streams are notified.
    func sign(with newer: DocumentSigner) async {
        signer = newer
        await show(rendered(readModel.snapshot))
    }

    /// Renews signatures after half of their lifetime, even if the store can't be read: clients reject expired
    /// documents.
    private func renewSignatures() async {
        guard let signed = readModel.signed, signed.isDue(at: store.now) else { return }
        await show(rendered(readModel.snapshot))
    }

    /// Returns once every loop replies from the new read model; the streams are notified at the same time.
    private func show(_ newer: ReadModel) async {
        // A connection that moves from the readers to a loop brings the newer read model along.
        let (loops, readers) = seen.withLock { seen in
            seen.readModel = newer
            return (seen.loops, seen.readers)
        }
        readers?.show(newer)
        // Nothing suspends between the snapshot and this line, so that no older read model can replace this one.
        let taken = loops.map { loop in loop.loop.submit { loop.adopt(newer) } }
        for future in taken { try? await future.get() }
    }

    /// Waits until every loop has run its submitted work.
    private func settle() async {
        for loop in seen.withLock({ $0.loops }) { try? await loop.loop.submit {}.get() }
    }

    /// Checks the store and the clock until the task is cancelled.
    /// - Parameter interval: the maximum delay of a change by another process.
    func watch(every interval: Duration) async {
        async let _: Void = health.watch()
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            if Task.isCancelled { return }
            await poll()
        }
    }

    /// Checks the store and the clock once.
    func poll() async {
        compareFile()
        await compareClocks()
        // Rows that were known by then are in the version that is read next.
        let contact = store.sharedContact
        do {
            if try store.dataVersion() != dataVersion {
                try await reload()
            } else if contact?.last != seen.withLock({ $0.served?.last }) {
                await settle()
                recordServed(contact)
            }
            try await writeDue()
            recover()
        } catch {
            fail(error)
        }
        await renewSignatures()
        seen.withLock { $0.lastLook = .now() }
    }

    /// Shows the end of a timed status and has it written to the journal. Clients see the end even if the write fails, except
    /// in a shared store, where the row of the server that leads decides.
    private func writeDue() async throws {
        let now = store.endTime
        guard let nextChange = seen.withLock({ $0.nextChange }), nextChange <= now else { return }
        // The clock of the server that leads may be behind. Another server ends it then.
        let isWriter = store.leads || nextChange.addingTimeInterval(Self.leadersTime) <= now
        let isWritten = isWriter ? await writeEnds(store.now) : false
        let isShown = store.isShared || readModel.snapshot.nextChange.map { $0 > now } ?? true
        if isWritten || !isShown { try await reload() }
    }

    /// How long after an end the server that leads has not written it if it does not do so at all, in seconds.
    private static let leadersTime: TimeInterval = 15

    /// Logs when a clock was set, and when the clocks agree again.
    private func compareClocks() async {
        let (problem, former) = (store.clockProblem, clockProblem)
        // Before this waits: another look may find a problem meanwhile.
        clockProblem = problem
        if let problem {
            if problem.isNews(after: former) {
                logger.error("the clocks do not agree", metadata: ["problem": "\(problem.text)"])
            }
        } else {
            if former != nil { logger.notice("the clocks agree again; timed statuses and rules change as they should") }
            await store.keepClock()
        }
    }

    /// - Returns: whether the journal has the rows.
    private func writeEnds(_ now: Date) async -> Bool {
        // A clock that was set back does not delay the next attempt.
        guard seen.withLock({ $0.isInPlace }), now >= nextWrite || nextWrite.timeIntervalSince(now) > writePause else {
            return false
        }
        do {
            for entry in try await store.writeDue() {
                logger.notice(
                    entry.action == JournalEntry.phaseAction ? "a phase of a rule" : "a time is over",
                    metadata: [
                        "row": "\(entry.id)", "scope": "\(entry.scope?.description ?? "")", "what": "\(entry.reason ?? "")",
                    ])
            }
            if writePause > 0 { logger.notice("the journal can be written again") }
            (nextWrite, writePause) = (.distantPast, 0)
            return true
        } catch {
            // The server ends; its successor writes it.
            if Task.isCancelled { return false }
            if writePause == 0 {
                logger.error(
                    "a timed status has ended, and the journal can't be written; clients get the change now, and the row follows",
                    metadata: ["error": "\(error)"]
                )
            }
            writePause = min(max(2 * writePause, 1), 60)
            nextWrite = now.addingTimeInterval(writePause)
            return false
        }
    }

    /// - Throws: 503 if the store's file was replaced. Writes to the open file would be lost when the server ends.
    ///   Clients still get the previous content.
    func checkFile() throws(HTTPError) {
        guard !compareFile() else { return }
        throw HTTPError(
            503, "the store's file was moved or replaced while the server ran; nothing was changed", type: .storeUnavailable,
            hint: "restart bellerophon-server, and send it again"
        )
    }

    /// - Returns: whether the store's path still refers to the opened file.
    @discardableResult
    private func compareFile() -> Bool {
        let isInPlace = store.presentFile == file
        if set(\.isInPlace, isInPlace) {
            if isInPlace {
                logger.notice("the store's file is back")
            } else {
                logger.error(
                    "the store's file was moved or replaced; clients get what was read before, and nothing can be published",
                    metadata: ["do": "restart the server"])
            }
        }
        return isInPlace
    }

    private func fail(_ error: any Error) {
        guard set(\.isReadable, false) else { return }
        logger.error("the store can't be read; clients get what was read before", metadata: ["error": "\(error)"])
    }

    private func recover() {
        if set(\.isReadable, true) { logger.notice("the store can be read again") }
    }

    /// - Returns: whether the value is another one than before, and is to be logged.
    private func set(_ condition: WritableKeyPath<Seen, Bool>, _ value: Bool) -> Bool {
        seen.withLock { seen in
            defer { seen[keyPath: condition] = value }
            return seen[keyPath: condition] != value
        }
    }
}
