import Foundation

/// Decides what a change of a status becomes. It is the only place that refuses one for what it says, and depends on nothing but its
/// members.
struct StatusDecision {
    var publication: Publication
    let author: Author
    /// The author's token as it is now; nil for an author without one.
    let token: TokenRecord?
    /// The key of the request; nil without one.
    let request: RequestKey?
    /// The newest row of the scope, after all that is due by time alone; nil if there is none.
    var newest: JournalEntry?
    /// The newest row of the app; nil for the scope of the app itself.
    var app: JournalEntry?
    let now: Date
    /// The time that all clocks have reached.
    let reached: Date
    /// What is wrong with the clocks; nil if they agree.
    let clockProblem: ClockProblem?
    /// When the newest row of any kind was written; nil without rows.
    let lastDate: Date?

    /// Why a change of rules takes what a kill takes.
    static let everybody =
        "the change decides when everybody is covered: also rules for 0 or later, for a share that leaves out one of a hundred, or below "
        + "a version that no change for everybody has named so far"

    /// The same before the rows of what is due by time alone are written.
    var effective: StatusDecision {
        var decision = self
        (decision.newest, decision.app) = (newest?.effective(at: reached), app?.effective(at: reached))
        return decision
    }

    /// When the status ends by itself; nil for never.
    private var end: Date? { publication.endsAfter.map { Date(milliseconds: now.milliseconds + $0.milliseconds) } }

    /// The row that is published at once.
    /// - Parameters:
    ///   - seen: see ``Publication/requireSeen(follows:newest:end:)``.
    ///   - breaksGlass: whether one person publishes a kill that takes two.
    ///   - checked: a document whose rules were checked already.
    ///   - rule: which statuses take two persons.
    func publish(
        follows seen: Int64?, breaksGlass: Bool, checked: String?, rule: ApprovalRule
    ) throws(StoreError) -> JournalEntry {
        var decision = self
        // In an emergency everybody is stopped over what this version can't read, and its rules are dropped.
        if breaksGlass { decision.newest = newest?.ifRead }
        var (draft, isForEverybody) = try decision.asked()
        try publication.requireSeen(follows: seen, newest: newest, end: draft.endsAt)
        try publication.checkReplacement(in: decision.newest, until: draft.endsAt)
        try checkEnd(of: draft)
        if draft.document != checked { try publication.checkPlan(draft) }
        if isForEverybody, rule.covers(publication.scope) {
            guard breaksGlass else { throw ApprovalRule.refusal(of: publication) }
            draft.breakGlass = true
        }
        return draft
    }

    /// The document that is proposed to a second person. Its time begins when it is approved.
    func propose() throws(StoreError) -> String? {
        var endless = self
        endless.publication.endsAfter = nil
        let draft = try endless.asked().row
        try publication.checkPlan(draft)
        try publication.checkReplacement(in: newest, until: end)
        return draft.document
    }

    /// The row of a proposal that a second person approves. What was right when it was proposed may be over now.
    func approve(_ proposal: Proposal) throws(StoreError) -> JournalEntry {
        var draft = try draft().row
        try publication.checkPlan(draft)
        try publication.checkReplacement(in: newest, until: draft.endsAt)
        (draft.proposal, draft.proposedBy) = (proposal.id, proposal.proposedBy)
        try checkEnd(of: draft)
        return draft
    }

    /// The row that the author asks for, if the author may publish it.
    /// - Throws: ``StoreError`` of kind `forbidden` if the token does not permit it.
    func asked() throws(StoreError) -> (row: JournalEntry, isForEverybody: Bool) {
        try publication.checkBackAt(now)
        let draft = try draft()
        try token?.require(
            draft.isForEverybody ? .statuses(publication.scope) : .rules(publication.scope),
            hint: draft.isForEverybody && publication.action == .rules ? Self.everybody : nil)
        return draft
    }

    /// The row, which nobody has looked at, and whether it may change what every app of its scope gets.
    func draft() throws(StoreError) -> (row: JournalEntry, isForEverybody: Bool) {
        var draft = JournalEntry(
            at: now, who: author.name, action: publication.action.rawValue, app: publication.scope.app,
            channel: publication.scope.channel, reason: StoreText.singleLine(publication.reason), author: author,
            request: request?.text)
        let plan = try publication.plan(after: newest, until: end, by: min(now, reached))
        let isForEverybody = draft.set(plan, of: publication, by: author, after: newest, beside: app)
        return (draft, isForEverybody)
    }

    /// Refuses an end that can't be computed or that has passed already. What the row only restates was checked before.
    private func checkEnd(of draft: JournalEntry) throws(StoreError) {
        guard let end = draft.endsAt, draft.plan?.base.row == nil else { return }
        var problem = clockProblem.map { " can't be computed: \($0.text)" }
        if problem == nil, let lastDate, end <= lastDate {
            problem =
                ", \(StoreJSON.text(of: end)), is over already: the newest row of the journal was written at "
                + "\(StoreJSON.text(of: lastDate)), so that this machine's clock is wrong or was wrong then"
        }
        guard let problem else { return }
        throw StoreError(
            .conflict, "the end\(problem)", hint: "publish it without an end, or set the clock right; nothing was published")
    }
}

extension Store {
    /// What a change of a status is decided by, in the transaction in which it is written. It has the time of that transaction, and not
    /// of the request, which may have waited.
    func decision(
        _ publication: Publication, by author: Author, _ token: TokenRecord? = nil, request: RequestKey? = nil,
        in journal: JournalTable
    ) throws -> StatusDecision {
        StatusDecision(
            publication: publication, author: author, token: token, request: request,
            newest: try journal.newestRow(of: publication.scope),
            app: publication.scope.isMain ? nil : try journal.newestRow(of: publication.scope.wholeApp), now: now,
            reached: endTime, clockProblem: clockProblem, lastDate: try journal.newestDate())
    }
}
