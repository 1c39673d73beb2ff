#if Server
import BellerophonStore
import HTTPTypes
import Hummingbird
import Logging

extension ServerRouter {
    /// The response to a request that has proposed a status.
    func proposed(_ proposal: Proposal, _ context: ServerContext) async throws -> Response {
        settings.logger.notice(
            "proposed",
            metadata: [
                "row": "\(proposal.id)", "what": "\(proposal.action.rawValue)", "scope": "\(proposal.scope)",
                "who": "\(proposal.proposedBy)", "address": "\(context.origin.address ?? "unknown")",
                "expires": "\(StoreJSON.text(of: proposal.expiresAt))",
            ])
        return Self.json(try StoreJSON.data(proposal), status: .accepted)
    }

    /// `GET /v1/proposals`: the proposals that can be approved; with `?all=true` the newest ones of any state.
    func proposals(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .read)
        let query = try QueryFields(request, known: ["all"])
        let openOnly = try !query.flag("all")
        return try await list { [store] in try store.proposals(openOnly: openOnly).filter { token.mayRead($0.app) } }
    }

    /// `GET /v1/proposals/ID`.
    func proposal(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, context, for: .read)
        _ = try QueryFields(request, known: [])
        return Self.json(try StoreJSON.data(try proposal(context, for: token)))
    }

    /// `POST /v1/proposals/ID/approve`: publishes it, for another person than the one who proposed it.
    func approve(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (token, proposal) = try await deciding(request, context)
        _ = try QueryFields(request, known: [])
        let entry = try await store.approve(
            proposal.id, by: Self.author(token, context), request: try Self.requestKey(request))
        return try await published(entry, context)
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
        try check(token, for: .statuses(proposal.scope), request, context)
        try await publisher.checkFile()
        return (token, proposal)
    }

    /// The proposal of the path, if the token may read it.
    private func proposal(_ context: ServerContext, for token: TokenRecord) throws -> Proposal {
        let text = try context.parameters.require("id")
        guard let id = Int64(text), id > 0, let proposal = try? store.proposal(id), token.mayRead(proposal.app) else {
            throw HTTPError(
                404, "there is no proposal \(HTTPError.quoted(text))",
                hint: "'bellerophon-server proposals' lists those that are open")
        }
        return proposal
    }
}
#endif
