import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// A read that the connection did not reply to: a request with a body, or for an unknown app.
    func read(_ call: Call) async throws -> Response {
        let readModel = await publisher.readModel
        if let reply = Self.reply(readModel, to: call.request) { return reply }
        if let name = call.parameters["name"] {
            throw readModel.snapshot.resources[name] == nil ? Self.noResource(name) : HTTPError.noDigest(name)
        }
        throw HTTPError.unknownApp(try Scope(call.parameters).app)
    }

    /// The same for a signed document.
    func readSigned(_ call: Call) async throws -> Response {
        guard await publisher.readModel.signed != nil else { throw HTTPError.nothingSigned }
        return try await read(call)
    }

    private static func reply(_ readModel: ReadModel, to request: Request) -> Response? {
        let path = request.path
        let reply = readModel.reply(path) ?? readModel.reply(path, host: request.headers.first(name: "Host") ?? "")
        return reply.map { response($0, to: request) }
    }

    private static func response(_ reply: PrerenderedReply, to request: Request) -> Response {
        var headers = HTTPHeaders()
        for field in reply.fields { headers.add(name: field.name, value: field.value) }
        if let etag = reply.etag, EntityTags(request.headers["If-None-Match"]).matches(etag) {
            headers.remove(name: "Content-Type")
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .bytes(ByteBuffer(bytes: reply.body)))
    }

    /// A stream request that the connection did not reply to.
    func stream(_ call: Call) async throws -> Response {
        let (readModel, scope) = (await publisher.readModel, try Scope(call.parameters))
        guard readModel.snapshot.status(for: scope) != nil else { throw HTTPError.unknownApp(scope.app) }
        throw HTTPError(400, "a stream is asked for without a body, by its path alone", hint: "send GET \(scope.eventsPath)")
    }

    /// The same for a stream of signed documents.
    func streamSigned(_ call: Call) async throws -> Response {
        guard await publisher.readModel.signed != nil else { throw HTTPError.nothingSigned }
        return try await stream(call)
    }

    /// `PUT` on a status: returns once the publish is durable and every connection of this server reads it.
    ///
    /// With `?dryRun=true` or `?review=true` nothing is published, and the reply is the document, or what a person is asked before.
    /// With `?propose=true` it is proposed to a second person; `?breakGlass=true` publishes a kill that takes two persons by one.
    /// `?follows=ROW` names the newest row that the author has seen. If there is another one that stops more programs, the reply is
    /// 412. `?replaces=ROW` names the kill or the update that this one replaces. The reply is also 412 to what would weaken one without
    /// naming it, and to what names one that does not stand.
    ///
    /// The token needs a scope for statuses, or for rules if only rules change, and not when everybody is covered.
    func publish(_ call: Call, _ token: TokenRecord) async throws -> Response {
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
        let author = Self.author(token, call)
        let (isReview, isDryRun) = (try query.flag("review"), try query.flag("dryRun"))
        if isReview || isDryRun {
            let document = try store.preview(publication, by: author, createsApp: createsApp, breaksGlass: breaksGlass).body
            return isReview ? try await review(publication, document, isAlone: breaksGlass) : Self.json(document)
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
        return Self.json(try StoreJSON.data(await review.withPicture()))
    }

    /// `GET /v1/plan`: the rules of a scope, with the table of what holds for which version at which time.
    func plan(_ call: Call, _ token: TokenRecord) async throws -> Response {
        let query = try QueryFields(call.request, known: ["app", "channel"])
        let scope = try Scope(
            app: query.text("app") ?? Scope.defaultApp, channel: query.text("channel") ?? Scope.mainChannel)
        guard token.mayRead(scope.app), let status = try store.status(scope) else { throw HTTPError.unknownApp(scope.app) }
        let own = try store.newestRow(of: scope)?.plan?.rules ?? []
        return try await list { PlanOverview(status, own: own) }
    }

    /// The response to a request that has published a status.
    func published(_ entry: JournalEntry, _ call: Call) async throws -> Response {
        await publisher.refresh()
        var metadata: Logger.Metadata = [
            "row": "\(entry.id)", "what": "\(entry.action)", "scope": "\(entry.scope ?? .main)", "who": "\(entry.who)",
            "address": "\(call.origin.address ?? "unknown")", "head": "\(entry.digest ?? "")",
        ]
        if let proposer = entry.proposedBy { metadata["proposedBy"] = "\(proposer)" }
        if entry.breakGlass == true {
            settings.logger.warning("published by one person, though it takes two (break glass)", metadata: metadata)
        } else {
            settings.logger.notice("published", metadata: metadata)
        }
        warnOfDate(entry)
        return Self.json(try StoreJSON.data(entry), status: .created)
    }

    /// `GET /v1/journal`: rows, newest first; with `after` the oldest first. `since` is in milliseconds since 1970.
    func journal(_ call: Call, _ token: TokenRecord) async throws -> Response {
        let query = try QueryFields(call.request, known: ["app", "channel", "resource", "limit", "before", "after", "since"])
        var filter = JournalFilter(
            app: query.text("app"), channel: query.text("channel"), resource: query.text("resource"),
            before: try query.number("before"), after: try query.number("after"),
            since: try query.number("since").map { Date(timeIntervalSince1970: Double($0) / 1000) },
            limit: try query.number("limit").map { Int(min($0, 1000)) } ?? 100
        )
        filter.apps = token.readableApps
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

    /// A list for an operator. It is read and rendered on threads of its own, so that readers wait, and publishing does not.
    func list<Value: Encodable & SendableMetatype>(_ read: @escaping @Sendable () throws -> Value) async throws -> Response {
        Self.json(try await lists.run { try StoreJSON.data(read()) })
    }

    // MARK: Bodies

    /// The complete body of the request.
    /// - Throws: 413 beyond 64 KiB.
    func json(_ request: Request) async throws -> Data {
        var data = Data()
        for try await part in request.body {
            data.append(contentsOf: part.readableBytesView)
            guard data.count <= Limits.documentSize else { throw HTTPError.tooLarge(Limits.documentSize) }
        }
        return data
    }

    static func json(_ data: Data, status: HTTPResponseStatus = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": CachePolicy.none],
            body: .bytes(ByteBuffer(bytes: data))
        )
    }
}
