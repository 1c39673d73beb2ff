import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension OperatorRouter {
    /// `PUT` on a status: returns once the publish is durable and every connection of this server reads it.
    ///
    /// With `?dryRun=true` or `?review=true` nothing is published, and the reply is the document, or what a person is asked before.
    /// With `?propose=true` it is proposed to a second person; `?breakGlass=true` publishes a kill that takes two persons by one.
    /// `?follows=ROW` names the newest row that the author has seen. If there is another one that stops more programs, the reply is
    /// 412. `?replaces=ROW` names the kill or the update that this one replaces. The reply is also 412 to what would weaken one without
    /// naming it, and to what names one that does not stand.
    ///
    /// The token needs a scope for statuses, or for rules if only rules change, and not when everybody is covered.
    func publish(_ call: Call, _ principal: Principal) async throws -> Response {
        let scope = try Scope(call.parameters)
        let query = try QueryFields(
            call.request, known: ["dryRun", "review", "new", "propose", "breakGlass", "follows", "replaces"])
        let (createsApp, proposes, breaksGlass) = (
            try query.flag("new"), try query.flag("propose"), try query.flag("breakGlass")
        )
        guard !proposes || !breaksGlass else {
            throw HTTPError(400, "propose and breakGlass contradict each other", hint: "send one of them")
        }
        let seen = try query.number("follows")
        guard seen == nil || !proposes else {
            throw HTTPError(
                400, "follows belongs to a publish, not to a proposal",
                hint: "leave it out: a proposal expires when another status is published")
        }
        let key = try Self.requestKey(call.request)
        var publication = try Publication(json: try await json(call.request), scope: scope)
        publication.replaces = try query.number("replaces")
        try publication.validate()
        let author = principal.author
        let (isReview, isDryRun) = (try query.flag("review"), try query.flag("dryRun"))
        if isReview || isDryRun {
            let document = try store.preview(publication, by: author, createsApp: createsApp, breaksGlass: breaksGlass).body
            return isReview ? try await review(publication, document, isAlone: breaksGlass) : .json(document)
        }
        if proposes {
            return try await proposed(
                store.propose(publication, by: author, request: key, createsApp: createsApp), call)
        }
        let entry = try await store.publish(
            publication, by: author, request: key, createsApp: createsApp, breaksGlass: breaksGlass, follows: seen)
        return try await published(entry, call)
    }

    /// What a person is asked before a publish. Nothing is published.
    private func review(_ publication: Publication, _ document: Data, isAlone: Bool) async throws -> Response {
        let date = Date()
        let now = try store.status(publication.scope).map { StatusReport($0, at: date) }
        let review = PublicationReview(
            publication, document: document, now: now, after: try store.newestRow(of: publication.scope), at: date,
            isAlone: isAlone)
        return .json(try StoreJSON.data(await review.withPicture()))
    }

    /// `GET /v1/plan`: the rules of a scope, with the table of what holds for which version at which time.
    func plan(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["app", "channel"])
        let scope = try Scope(
            app: query.text("app") ?? Scope.defaultApp, channel: query.text("channel") ?? Scope.mainChannel)
        guard principal.mayRead(scope.app), let status = try store.status(scope) else { throw HTTPError.unknownApp(scope.app) }
        let own = try store.newestRow(of: scope)?.plan?.rules ?? []
        return try await list { PlanOverview(status, own: own) }
    }

    /// The response to a request that has published a status.
    func published(_ entry: JournalEntry, _ call: Call) async throws -> Response {
        await didChange()
        var metadata: Logger.Metadata = [
            "row": "\(entry.id)", "what": "\(entry.action)", "scope": "\(entry.scope ?? .main)", "who": "\(entry.who)",
            "address": "\(call.origin.address ?? "unknown")", "head": "\(entry.digest ?? "")",
        ]
        if let proposer = entry.proposedBy { metadata["proposedBy"] = "\(proposer)" }
        if entry.breakGlass == true {
            logger.warning("published by one person, though it takes two (break glass)", metadata: metadata)
        } else {
            logger.notice("published", metadata: metadata)
        }
        warnOfDate(entry)
        return .json(try StoreJSON.data(entry), status: .created)
    }

    /// `GET /v1/journal`: rows, newest first; with `after` the oldest first. `since` is in milliseconds since 1970.
    func journal(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["app", "channel", "resource", "limit", "before", "after", "since"])
        var filter = JournalFilter(
            app: query.text("app"), channel: query.text("channel"), resource: query.text("resource"),
            before: try query.number("before"), after: try query.number("after"),
            since: try query.number("since").map { Date(timeIntervalSince1970: Double($0) / 1000) },
            limit: try query.number("limit").map { Int(min($0, 1000)) } ?? 100
        )
        filter.apps = principal.readableApps
        try await willRead(nil)
        var search = JournalSearch(filter)
        while !search.isComplete {
            // Others have their turn between two steps.
            search = try await lists.run { [store, search] in
                var next = search
                try store.step(&next)
                return next
            }
            try Task.checkCancellation()
        }
        return try await list { [search] in search.rows }
    }

    /// `GET /v1/statuses`: what clients get of each app that the person may read about, and of each channel with a publish. `?app=` names
    /// an app, and `channel` beside it one scope.
    func statuses(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["app", "channel"])
        let app = query.text("app")
        let scope = try query.text("channel").map { channel throws(StoreError) in
            try Scope(app: app ?? Scope.defaultApp, channel: channel)
        }
        try await willRead(scope)
        return try await list { [store] in
            let statuses =
                if let scope {
                    [try store.status(scope)].compactMap(\.self)
                } else {
                    try store.snapshot().statuses.values.filter { app == nil || $0.scope.app == app }.sorted {
                        $0.scope < $1.scope
                    }
                }
            return statuses.filter { principal.mayRead($0.scope.app) }.map(ServedStatus.init)
        }
    }

    /// Warns if a status is dated ahead of the clock: an earlier one was published while a clock was ahead.
    func warnOfDate(_ entry: JournalEntry) {
        guard entry.datedAhead > 60 else { return }
        logger.warning(
            "the order of statuses is ahead of the clock; a clock was wrong when an earlier one was published",
            metadata: [
                "row": "\(entry.id)", "seconds": "\(Int(entry.datedAhead))",
                "do": "check this machine's clock; clients accept the status anyway",
            ])
    }
}
