/// The statuses of a shared journal that a server's copy does not have: no standby has confirmed a row yet, the copy's disk is
/// full, a row needs a newer version, or the copy has other rows.
///
/// They are shown beside the copy, so that none of these hides a kill. A row that is not confirmed can be lost with its database. It
/// is shown only where it restricts a program more, so that nothing lifts a kill that may not be published.
struct PendingStatuses: Equatable, Sendable {
    /// Whether the copy has rows after the last common one that the journal does not have.
    let isDiverged: Bool
    /// The last row that was read.
    private(set) var head: JournalHead
    /// The newest confirmed row of each scope.
    private var confirmed: [Scope: JournalEntry]
    /// Of each scope, the row that restricts most of those that are not confirmed; none if no such row restricts anything.
    private(set) var unconfirmed: [Scope: JournalEntry] = [:]
    /// Of each scope, the newest row that is not confirmed.
    private var latest: [Scope: JournalEntry] = [:]

    /// - Parameters:
    ///   - head: the newest row that the copy and the journal have in common.
    ///   - newest: the newest row of each scope up to there, for a copy that has other rows after it; nil for any other copy.
    init(after head: JournalHead, diverged newest: [Scope: JournalEntry]? = nil) {
        (isDiverged, self.head, confirmed) = (newest != nil, head, newest ?? [:])
    }

    /// Rows that were shown before the last start, and that nobody knows to be confirmed; nil for none.
    init?(shown rows: [JournalEntry]) {
        let rows = rows.sorted { $0.id < $1.id }
        guard let last = rows.last, let digest = last.digest else { return nil }
        self.init(after: JournalHead(id: last.id, digest: digest))
        for row in rows { add(row) }
    }

    /// Adds the rows that follow, which are not confirmed yet.
    mutating func add(_ rows: [SharedRow]) {
        for row in rows where row.id > head.id {
            head = row.head
            add(JournalEntry(row))
        }
    }

    private mutating func add(_ entry: JournalEntry) {
        guard let scope = entry.scope, entry.document != nil else { return }
        latest[scope] = entry
        guard entry.restriction > .none, entry.restriction >= unconfirmed[scope]?.restriction ?? .none else { return }
        unconfirmed[scope] = entry
    }

    /// Notes that all rows so far are confirmed.
    mutating func confirm() {
        confirmed.merge(latest) { $1 }
        (unconfirmed, latest) = ([:], [:])
    }

    /// The newest row of each scope that is shown.
    /// - Parameters:
    ///   - copy: the newest row of each scope in the copy.
    ///   - last: the newest row of the copy.
    func merged(with copy: [Scope: JournalEntry], upTo last: Int64) -> [Scope: JournalEntry] {
        if isDiverged { return Self.stricter(unconfirmed, over: Self.stricter(confirmed, over: copy)) }
        // The copy may have taken some rows meanwhile.
        let shown = copy.merging(confirmed.filter { $1.id > last }) { $1 }
        return Self.stricter(unconfirmed.filter { $1.id > last }, over: shown)
    }

    private static func stricter(
        _ entries: [Scope: JournalEntry], over shown: [Scope: JournalEntry]
    ) -> [Scope: JournalEntry] {
        // A scope that is not known yet is known from now on, whatever its status is.
        shown.merging(
            entries.filter { scope, entry in
                entry.restriction > shown.restriction(of: scope) || entry.restriction == .none && shown[scope] == nil
            }
        ) { $1 }
    }
}

/// How much a status stops a program.
enum Restriction: Comparable, Sendable {
    case none, update, kill
}

extension JournalEntry {
    var restriction: Restriction {
        switch base.action {
        case .kill: .kill
        case .update: .update
        case .restore, .rules: .none
        }
    }

    /// A row of a shared journal.
    init(_ row: SharedRow) { self.init(row.row) }
}

extension [Scope: JournalEntry] {
    /// How much the status restricts that the clients of a scope get: see ``PublishedStatus/init(_:own:app:)``.
    fileprivate func restriction(of scope: Scope) -> Restriction {
        if let own = self[scope], own.restriction > .none { return own.restriction }
        return self[scope.wholeApp]?.restriction ?? .none
    }
}
