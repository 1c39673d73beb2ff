import BellerophonStore
import Foundation
import Logging
import NIOHTTP1

extension OperatorRouter {
    /// `GET /v1/approval`: the rule of two persons, of the apps that the token may read about.
    func approvalRule(_ call: Call, _ principal: Principal) async throws -> Response {
        var rule = try store.approvalRule()
        rule.apps = rule.apps.filter { $0 == "*" || principal.mayRead($0) }
        return .json(try StoreJSON.data(rule))
    }

    /// `PUT /v1/approval`: proposes another rule, which a second person approves.
    func proposeRule(_ call: Call, _ principal: Principal) async throws -> Response {
        let wanted = try RuleChange(json: try await call.json())
        return try await proposed(
            store.proposeRule(wanted, by: principal.author, request: try call.requestKey()), call)
    }

    /// The response to a request that has proposed something.
    func proposed(_ proposal: Proposal, _ call: Call) async throws -> Response {
        try await changed(
            proposal, call, by: proposal.proposedBy, status: .accepted, "proposed",
            [
                "row": "\(proposal.id)", "what": "\(proposal.subject)",
                "expires": "\(StoreJSON.text(of: proposal.expiresAt))",
            ])
    }

    /// `GET /v1/proposals`: the proposals that can be approved; with `?all=true` the newest ones of any state.
    func proposals(_ call: Call, _ principal: Principal) async throws -> Response {
        let openOnly = try !call.query.flag("all")
        return .json(try StoreJSON.data(store.proposals(openOnly: openOnly, of: principal.readableApps)))
    }

    /// `GET /v1/proposals/ID`; with `?review=true` what a person is asked before it is approved.
    func proposal(_ call: Call, _ principal: Principal) async throws -> Response {
        let proposal = try proposal(call, for: principal)
        guard try call.query.flag("review") else { return .json(try StoreJSON.data(proposal)) }
        let (date, status) = (Date(), try proposal.scope.flatMap { try store.status($0) })
        let review = await PublicationReview(
            proposal, now: try status.map { try ServedStatus($0).report(at: date) }, after: status?.newest, at: date)
        return .json(try StoreJSON.data(review))
    }

    /// `POST /v1/proposals/ID/approve`: carries it out, for another person than the one who proposed it.
    ///
    /// The store decides whether the token may.
    func approve(_ call: Call, _ principal: Principal) async throws -> Response {
        let proposal = try proposal(call, for: principal)
        let entry = try await store.approve(proposal.id, by: principal.author, request: try call.requestKey())
        guard entry.scope == nil else { return try await published(entry, call) }
        return try await changed(
            entry, call, by: entry.who, status: .created, "the rule of two persons was changed", level: .warning,
            [
                "row": "\(entry.id)", "rule": "\(entry.reason ?? "")", "proposedBy": "\(entry.proposedBy ?? "")",
                "head": "\(entry.digest ?? "")",
            ])
    }

    /// `POST /v1/proposals/ID/reject`.
    func reject(_ call: Call, _ principal: Principal) async throws -> Response {
        let proposal = try proposal(call, for: principal)
        let rejected = try await store.reject(proposal.id, by: principal.author, reason: call.query.text("reason"))
        return try await changed(rejected, call, by: principal.name, "a proposal was rejected", ["row": "\(rejected.id)"])
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
