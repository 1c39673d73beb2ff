import BellerophonServer
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// Statuses that take two persons, by commands and over HTTP.
@Suite("Proposals by commands")
struct ProposalServerTests {
    private static func live(_ work: @Sendable (LiveServer, _ ada: String, _ bob: String) async throws -> Void) async throws {
        try await LiveServer.run({ $0.approval.apps = ["default"] }) { live in
            let ada = try await live.store.createToken(TokenRequest(name: "ada", scopes: [.publish]), by: "test").token
            let bob = try await live.store.createToken(TokenRequest(name: "bob", scopes: [.statuses]), by: "test").token
            try await work(live, ada, bob)
        }
    }

    @Test func oneProposesAndAnotherApproves() async throws {
        try await Self.live { live, ada, bob in
            let alone = try await live.command("kill", "--yes", token: ada)
            #expect(alone.status == .exited(77) && alone.standardError.contains("takes two persons"), "\(alone)")

            let proposed = try await live.command(
                "kill", "--message", "Back at noon.", "--for", "2h", "--reason", "disk swap", "--propose", token: ada)
            #expect(proposed.standardOutput.hasPrefix("#4  default/main kill proposed, until 20"), "\(proposed)")
            #expect(proposed.standardError.contains("bellerophon-server approve 4"))
            #expect(try live.store.status(.main)?.isBlocking == false)

            let list = try await live.command("proposals", token: bob)
            #expect(list.standardOutput.contains("#4") && list.standardOutput.contains("disk swap"), "\(list)")
            let own = try await live.command("approve", "4", "--yes", token: ada)
            #expect(own.status == .exited(77) && own.standardError.contains("can't approve it too"), "\(own)")
            let unseen = try await live.command("approve", "4", token: bob)
            #expect(unseen.status == .exited(64), "without a terminal nobody has seen what is published: \(unseen)")
            let approved = try await live.command("approve", "4", "--yes", token: bob)
            #expect(approved.standardOutput.contains("default/main killed, until 20"), "\(approved)")
            #expect(approved.standardOutput.contains(", proposed by ada (the server"))
            #expect(try live.store.status(.main)?.isBlocking == true)

            let status = try await live.command("status", token: bob).standardOutput
            #expect(status.contains("by       bob, proposed by ada\n"), "\(status)")
            let history = try await live.command("history", token: bob).standardOutput
            #expect(history.contains("propose kill") && history.contains("bob, proposed by ada"), "\(history)")
            let again = try await live.command("approve", "4", "--yes", token: bob)
            #expect(again.status == .exited(65) && again.standardError.contains("was approved by bob, as row 5"), "\(again)")
            #expect(try await live.command("proposals", token: bob).standardError == "no open proposals\n")
        }
    }

    @Test func aRejectedProposalPublishesNothing() async throws {
        try await Self.live { live, ada, bob in
            #expect(try await live.command("kill", "--propose", token: ada).status == .exited(0))
            let rejected = try await live.command("reject", "4", "--reason", "wrong app", token: bob)
            #expect(rejected.standardOutput == "#4  default/main kill rejected; nothing was published\n", "\(rejected)")
            let all = try await live.command("proposals", "--all", "--json", token: ada)
            let proposals = try StoreJSON.value([Proposal].self, from: Data(all.standardOutput.utf8))
            #expect(proposals.map(\.state) == [.rejected] && proposals.first?.decidedBy == "bob")
            #expect(try await live.command("approve", "4", "--yes", token: bob).status == .exited(65))
            #expect(try await live.command("approve", "99", "--yes", token: bob).status == .exited(66))
        }
    }

    @Test("In an emergency one person can publish a kill, and two persons are needed to lift it")
    func breakGlassKillsAlone() async throws {
        let log = LogLines()
        try await LiveServer.run({ $0.approval.apps = ["*"] }, log: log) { live in
            let ada = try await live.store.createToken(TokenRequest(name: "ada", scopes: [.publish]), by: "test").token
            let silent = try await live.command("kill", "--break-glass", "--yes", token: ada)
            #expect(silent.status == .exited(64) && silent.standardError.contains("takes a reason"), "\(silent)")
            let killed = try await live.command("kill", "--break-glass", "--reason", "tokens leak", "--yes", token: ada)
            #expect(killed.standardOutput.contains("default/main killed, alone (break glass)"), "\(killed)")
            #expect(log.entries.contains { $0.message.contains("break glass") && $0.fields["who"] == "ada" })
            #expect(try await live.command("restore", token: ada).status == .exited(77))
            let history = try await live.command("history", token: ada).standardOutput
            #expect(history.contains("kill, alone (break glass)"), "\(history)")
            let status = try await live.command("status", token: ada).standardOutput
            #expect(status.contains("one person published it (break glass)"), "\(status)")
        }
    }

    @Test func commandsOnTheMachineFollowTheServersRule() async throws {
        try await Self.live { live, _, bob in
            let result = try await runServerCommand(["kill", "--yes", "--store", live.store.folder.path])
            #expect(result.status == .exited(77) && result.standardError.contains("takes two persons"), "\(result)")
            let proposed = try await runServerCommand(["kill", "--propose", "--store", live.store.folder.path])
            #expect(proposed.status == .exited(0), "\(proposed)")
            #expect(try await live.command("approve", "4", "--yes", token: bob).status == .exited(0))
        }
    }

    @Test("A server without an approval rule keeps the stored rule, and two persons change it")
    func approvalRuleOutlastsServer() async throws {
        let log = LogLines()
        try await Self.live { live, ada, bob in
            // A second server of the store, and a reload, without the setting.
            try await LiveServer.run(store: live.store, log: log) { second in
                let told = log.entries.filter { $0.message.contains("stricter than this server's configuration") }
                #expect(told.count == 1 && told.first?.fields["rule"]?.contains("statuses of default") == true)
                _ = try await second.server.reload(ServerConfiguration())
            }
            #expect(try await live.command("kill", "--yes", token: ada).status == .exited(77))
            let shown = try await live.command("approval", token: bob)
            #expect(shown.standardOutput == "statuses of default take two persons; a proposal is valid for 3600 s\n", "\(shown)")

            let proposed = try await live.command("approval", "propose", "--apps", "none", "--reason", "moved", token: ada)
            #expect(proposed.standardOutput.hasPrefix("#4  approval-rule proposed, until 20"), "\(proposed)")
            let list = try await live.command("proposals", token: bob).standardOutput
            #expect(list.contains("approval-rule") && list.contains("no status takes two persons: moved"), "\(list)")
            #expect(try await live.command("approve", "4", "--yes", token: ada).status == .exited(77))
            for scopes in ["statuses:default", "resources", "read"] {
                let token = try await live.token(try TokenScope.list(scopes))
                let refused = try await live.command("approve", "4", "--yes", token: token)
                #expect(refused.status == .exited(scopes == "statuses:default" ? 66 : 77), "\(scopes): \(refused)")
                #expect(try await live.command("approval", "propose", "--apps", "none", token: token).status == .exited(77))
            }
            let approved = try await live.command("approve", "4", "--yes", token: bob)
            #expect(approved.standardOutput.contains("approval-rule, proposed by ada: no status takes two persons: moved"))
            #expect(try await live.command("kill", "--yes", token: ada).status == .exited(0))
            let history = try await live.command("history", token: ada).standardOutput
            #expect(history.contains("propose approval-rule") && history.contains("bob, proposed by ada"), "\(history)")
        }
    }

    @Test func aRuleIsShownAndProposedOverHTTP() async throws {
        try await Self.live { live, ada, bob in
            let reader = try await live.token([try TokenScope("read:notes")])
            try await live.talk { client throws in
                func get(_ token: String) throws -> String {
                    try client.answer(to: "/v1/approval", "Authorization: Bearer \(token)").body
                }
                #expect(try get(ada) == #"{"apps":"default","lifetime":3600}"#)
                #expect(try get(reader) == #"{"apps":"","lifetime":3600}"#, "what it has is about an app of others")
                for (body, code) in [
                    (#"{"apps":"a b"}"#, 400), (#"{"lifetime":60}"#, 400), (#"{"apps":"","lifetime":1}"#, 400),
                    (#"{"apps":"default"}"#, 409), (#"{"apps":"*","reason":"all"}"#, 202),
                ] {
                    #expect(try client.put("/v1/approval", body, token: ada).code == code, "\(body)")
                }
            }
            #expect(try live.store.proposals().map(\.ruleChange?.to) == [ApprovalRule(apps: ["*"])])
        }
    }

    @Test func aTokenOfAnotherAppSeesNoProposal() async throws {
        try await Self.live { live, ada, _ in
            _ = try await live.command("kill", "--propose", token: ada)
            let other = try await live.token([try TokenScope("statuses:notes")])
            #expect(try await live.command("proposals", token: other).standardError == "no open proposals\n")
            #expect(try await live.command("approve", "4", "--yes", token: other).status == .exited(66))
            let reader = try await live.token([.read])
            #expect(try await live.command("approve", "4", "--yes", token: reader).status == .exited(77))
            #expect(try live.store.status(.main)?.isBlocking == false)
        }
    }
}
