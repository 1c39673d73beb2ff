import BellerophonStore
import Foundation
import Logging
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
        let query = call.query
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
        let key = try call.requestKey()
        var publication = try Publication(json: try await call.json(), scope: scope)
        publication.replaces = try query.number("replaces")
        try publication.validate()
        let author = principal.author
        let (isReview, isDryRun) = (try query.flag("review"), try query.flag("dryRun"))
        if isReview || isDryRun {
            let document = try store.preview(publication, by: author, createsApp: createsApp, breaksGlass: breaksGlass).body
            guard isReview else { return .json(document) }
            let (date, status) = (Date(), try store.status(scope))
            let review = await PublicationReview(
                publication, document: document, now: try status.map { try ServedStatus($0).report(at: date) },
                after: status?.newest, at: date,
                isAlone: breaksGlass)
            return .json(try StoreJSON.data(review))
        }
        if proposes {
            return try await proposed(store.propose(publication, by: author, request: key, createsApp: createsApp), call)
        }
        let entry = try await store.publish(
            publication, by: author, request: key, createsApp: createsApp, breaksGlass: breaksGlass, follows: seen)
        return try await published(entry, call)
    }

    /// `GET /v1/plan`: the rules of a scope, with the table of what holds for which version at which time.
    func plan(_ call: Call, _ principal: Principal) async throws -> Response {
        let scope = try Scope(
            app: call.query.text("app") ?? Scope.defaultApp, channel: call.query.text("channel") ?? Scope.mainChannel)
        guard principal.mayRead(scope.app), let status = try store.status(scope) else { throw HTTPError.unknownApp(scope.app) }
        return .json(try StoreJSON.data(PlanOverview(status)))
    }

    /// The response to a request that has published a status.
    func published(_ entry: JournalEntry, _ call: Call) async throws -> Response {
        var facts: Logger.Metadata = [
            "row": "\(entry.id)", "what": "\(entry.action)", "scope": "\(entry.scope ?? .main)", "head": "\(entry.digest ?? "")",
        ]
        if let proposer = entry.proposedBy { facts["proposedBy"] = "\(proposer)" }
        let isAlone = entry.breakGlass == true
        let response = try await changed(
            entry, call, by: entry.who, status: .created,
            isAlone ? "published by one person, though it takes two (break glass)" : "published",
            level: isAlone ? .warning : .notice, facts)
        // An earlier status was published while a clock was ahead.
        if entry.datedAhead > 60 {
            logger.warning(
                "the order of statuses is ahead of the clock; a clock was wrong when an earlier one was published",
                metadata: [
                    "row": "\(entry.id)", "seconds": "\(Int(entry.datedAhead))",
                    "do": "check this machine's clock; clients accept the status anyway",
                ])
        }
        return response
    }

    /// `GET /v1/journal`: rows, newest first; with `after` the oldest first. `since` is in milliseconds since 1970.
    func journal(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = call.query
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
            try store.step(&search)
            // Others have their turn between two steps.
            await Task.yield()
            try Task.checkCancellation()
        }
        return .json(try StoreJSON.data(search.rows))
    }

    /// `GET /v1/statuses`: what clients get of each app that the person may read about, and of each channel with a publish. `?app=` names
    /// an app, and `channel` beside it one scope.
    func statuses(_ call: Call, _ principal: Principal) async throws -> Response {
        let app = call.query.text("app")
        let scope = try call.query.text("channel").map { channel throws(StoreError) in
            try Scope(app: app ?? Scope.defaultApp, channel: channel)
        }
        try await willRead(scope)
        let statuses =
            if let scope {
                [try store.status(scope)].compactMap(\.self)
            } else {
                try store.snapshot().statuses.values.filter { app == nil || $0.scope.app == app }.sorted { $0.scope < $1.scope }
            }
        return .json(try StoreJSON.data(statuses.filter { principal.mayRead($0.scope.app) }.map(ServedStatus.init)))
    }
}
