import BellerophonStore
import Foundation
import Logging
import NIOHTTP1

extension OperatorRouter {
    /// `GET /v1/approval`: the rule of two persons, of the apps that the token may read about.
    func approvalRule(_ call: Call, _ principal: Principal) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        var rule = try store.approvalRule()
        rule.apps = rule.apps.filter { $0 == "*" || principal.mayRead($0) }
        return .json(try StoreJSON.data(rule))
    }

    /// `PUT /v1/approval`: proposes another rule, which a second person approves.
    func proposeRule(_ call: Call, _ principal: Principal) async throws -> Response {
        _ = try QueryFields(call.request, known: [])
        let wanted = try RuleChange(json: try await json(call.request))
        return try await proposed(
            store.proposeRule(wanted, by: principal.author, request: try Self.requestKey(call.request)), call)
    }

    /// The response to a request that has proposed something.
    func proposed(_ proposal: Proposal, _ call: Call) async throws -> Response {
        logger.notice(
            "proposed",
            metadata: [
                "row": "\(proposal.id)", "what": "\(proposal.subject)", "who": "\(proposal.proposedBy)",
                "address": "\(call.origin.address ?? "unknown")",
                "expires": "\(StoreJSON.text(of: proposal.expiresAt))",
            ])
        return .json(try StoreJSON.data(proposal), status: .accepted)
    }

    /// `GET /v1/proposals`: the proposals that can be approved; with `?all=true` the newest ones of any state.
    func proposals(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["all"])
        let openOnly = try !query.flag("all")
        return try await list { [store] in try store.proposals(openOnly: openOnly, of: principal.readableApps) }
    }

    /// `GET /v1/proposals/ID`; with `?review=true` what a person is asked before it is approved.
    func proposal(_ call: Call, _ principal: Principal) async throws -> Response {
        let query = try QueryFields(call.request, known: ["review"])
        let proposal = try proposal(call, for: principal)
        guard try query.flag("review") else { return .json(try StoreJSON.data(proposal)) }
        let date = Date()
        let now = try proposal.scope.flatMap { try store.status($0) }.map { StatusReport($0, at: date) }
        let review = PublicationReview(
            proposal, now: now, after: try proposal.scope.flatMap { try store.newestRow(of: $0) }, at: date)
        return .json(try StoreJSON.data(await review.withPicture()))
    }

    /// `POST /v1/proposals/ID/approve`: carries it out, for another person than the one who proposed it.
    func approve(_ call: Call, _ principal: Principal) async throws -> Response {
        let proposal = try await proposal(call, decidedBy: principal)
        _ = try QueryFields(call.request, known: [])
        let entry = try await store.approve(
            proposal.id, by: principal.author, request: try Self.requestKey(call.request))
        guard entry.scope == nil else { return try await published(entry, call) }
        return try await changed(entry, call)
    }

    /// The response to a request that has changed the rule of two persons.
    private func changed(_ entry: JournalEntry, _ call: Call) async throws -> Response {
        await didChange()
        logger.warning(
            "the rule of two persons was changed",
            metadata: [
                "row": "\(entry.id)", "rule": "\(entry.reason ?? "")", "who": "\(entry.who)",
                "proposedBy": "\(entry.proposedBy ?? "")", "address": "\(call.origin.address ?? "unknown")",
                "head": "\(entry.digest ?? "")",
            ])
        return .json(try StoreJSON.data(entry), status: .created)
    }

    /// `POST /v1/proposals/ID/reject`.
    func reject(_ call: Call, _ principal: Principal) async throws -> Response {
        let proposal = try await proposal(call, decidedBy: principal)
        let query = try QueryFields(call.request, known: ["reason"])
        let rejected = try await store.reject(proposal.id, by: principal.author, reason: query.text("reason"))
        logger.notice(
            "a proposal was rejected",
            metadata: ["row": "\(rejected.id)", "who": "\(principal.name)", "address": "\(call.origin.address ?? "unknown")"])
        return .json(try StoreJSON.data(rejected))
    }

    /// The proposal of a request to decide on it. The store decides whether the token may.
    private func proposal(_ call: Call, decidedBy principal: Principal) async throws -> Proposal {
        let proposal = try proposal(call, for: principal)
        try await checkChange()
        return proposal
    }

    /// The proposal of the path, if the token may read it.
    private func proposal(_ call: Call, for principal: Principal) throws -> Proposal {
        let text = call["id"]
        guard let id = Int64(text), id > 0, let proposal = try? store.proposal(id), principal.mayRead(proposal) else {
            throw HTTPError(
                404, "there is no proposal \(HTTPError.quoted(text))",
                hint: "'bellerophon-server proposals' lists those that are open")
        }
        return proposal
    }
}
