#if Server
import BellerophonStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

extension ServerRouter {
    /// `GET /v1/approval`: the rule of two persons, of the apps that the token may read about.
    func approvalRule(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .read)
        _ = try QueryFields(request, known: [])
        var rule = try store.approvalRule()
        rule.apps = rule.apps.filter { $0 == "*" || token.mayRead($0) }
        return Self.json(try StoreJSON.data(rule))
    }

    /// `PUT /v1/approval`: proposes another rule, which a second person approves.
    func proposeRule(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .approvalRule)
        _ = try QueryFields(request, known: [])
        let wanted = try RuleRequest(json: try await json(request))
        return try await proposed(
            store.proposeRule(wanted, by: Self.author(token, context), request: try Self.requestKey(request)), context)
    }

    /// The response to a request that has proposed something.
    func proposed(_ proposal: Proposal, _ context: ServerContext) async throws -> Response {
        settings.logger.notice(
            "proposed",
            metadata: [
                "row": "\(proposal.id)", "what": "\(proposal.subject)", "who": "\(proposal.proposedBy)",
                "address": "\(context.origin.address ?? "unknown")",
                "expires": "\(StoreJSON.text(of: proposal.expiresAt))",
            ])
        return Self.json(try StoreJSON.data(proposal), status: .accepted)
    }

    /// `GET /v1/proposals`: the proposals that can be approved; with `?all=true` the newest ones of any state.
    func proposals(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .read)
        let query = try QueryFields(request, known: ["all"])
        let openOnly = try !query.flag("all")
        return try await list { [store] in try store.proposals(openOnly: openOnly, of: token.readableApps) }
    }

    /// `GET /v1/proposals/ID`; with `?review=true` what a person is asked before it is approved.
    func proposal(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .read)
        let query = try QueryFields(request, known: ["review"])
        let proposal = try proposal(context, for: token)
        guard try query.flag("review") else { return Self.json(try StoreJSON.data(proposal)) }
        let now = try proposal.scope.flatMap { try store.status($0) }.map { StatusReport($0) }
        return Self.json(try StoreJSON.data(PublicationReview(proposal, now: now, at: Date())))
    }

    /// `POST /v1/proposals/ID/approve`: carries it out, for another person than the one who proposed it.
    func approve(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (token, proposal) = try await deciding(request, context)
        _ = try QueryFields(request, known: [])
        let entry = try await store.approve(
            proposal.id, by: Self.author(token, context), request: try Self.requestKey(request))
        guard entry.scope == nil else { return try await published(entry, context) }
        return try await changed(entry, context)
    }

    /// The response to a request that has changed the rule of two persons.
    private func changed(_ entry: JournalEntry, _ context: ServerContext) async throws -> Response {
        await publisher.refresh()
        settings.logger.warning(
            "the rule of two persons was changed",
            metadata: [
                "row": "\(entry.id)", "rule": "\(entry.reason ?? "")", "who": "\(entry.who)",
                "proposedBy": "\(entry.proposedBy ?? "")", "address": "\(context.origin.address ?? "unknown")",
                "head": "\(entry.digest ?? "")",
            ])
        return Self.json(try StoreJSON.data(entry), status: .created)
    }

    /// `POST /v1/proposals/ID/reject`.
    func reject(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (token, proposal) = try await deciding(request, context)
        let query = try QueryFields(request, known: ["reason"])
        let rejected = try await store.reject(proposal.id, by: Self.author(token, context), reason: query.text("reason"))
        settings.logger.notice(
            "a proposal was rejected",
            metadata: ["row": "\(rejected.id)", "who": "\(token.name)", "address": "\(context.origin.address ?? "unknown")"])
        return Self.json(try StoreJSON.data(rejected))
    }

    /// The token and the proposal of a request to decide on it.
    private func deciding(_ request: Request, _ context: ServerContext) async throws -> (TokenRecord, Proposal) {
        let token = try await authorize(request, context, for: .read)
        let proposal = try proposal(context, for: token)
        try check(token, for: proposal.permission, request, context)
        try await publisher.checkFile()
        return (token, proposal)
    }

    /// The proposal of the path, if the token may read it.
    private func proposal(_ context: ServerContext, for token: TokenRecord) throws -> Proposal {
        let text = try context.parameters.require("id")
        guard let id = Int64(text), id > 0, let proposal = try? store.proposal(id), token.mayRead(proposal) else {
            throw HTTPError(
                404, "there is no proposal \(HTTPError.quoted(text))",
                hint: "'bellerophon-server proposals' lists those that are open")
        }
        return proposal
    }
}
#endif
