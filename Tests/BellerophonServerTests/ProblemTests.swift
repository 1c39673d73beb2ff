import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The types of problems, on which programs branch.
@Suite("Problems") struct ProblemTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("A type comes back from its address, and other addresses are no types")
    func addresses() {
        for type in ProblemType.allCases { #expect(ProblemType(uri: type.uri) == type) }
        #expect(ProblemType(uri: "about:blank") == nil)
        #expect(ProblemType(uri: "urn:bellerophon:problem:later") == nil)
        #expect(ProblemType(uri: "overtaken") == nil)
    }

    @Test("The documentation lists every type with its code and title")
    func documentation() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("docs/server.md"), encoding: .utf8)
        for type in ProblemType.allCases {
            #expect(text.contains("| `\(type.rawValue)` | \(type.code) | \(type.title) |\n"), "\(type)")
        }
    }

    @Test("The console and the proxy name only types that exist")
    func otherFiles() throws {
        let proxy = try String(contentsOf: Self.root.appendingPathComponent("deploy/nginx.conf"), encoding: .utf8)
        for text in [ConsoleFile.script.text, proxy] {
            let found = text.matches(of: /urn:bellerophon:problem:[a-z-]+/).map { String($0.0) }
            #expect(!found.isEmpty)
            for uri in found { #expect(ProblemType(uri: uri) != nil, "\(uri)") }
        }
    }

    @Test("The text of a problem is one safe line of JSON")
    func text() throws {
        let problem = HTTPError(400, "a \"quote\"\n\u{1B}[2J", hint: "h\u{202E}")
        let body = String(decoding: problem.body, as: UTF8.self)
        #expect(body.last == "\n" && !body.dropLast().contains("\n") && !body.contains("\u{1B}") && !body.contains("\u{202E}"))
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(problem.body)) as? [String: Any])
        #expect(fields["detail"] as? String == "a \"quote\"\n\u{1B}[2J")
        #expect(fields["type"] as? String == ProblemType.invalidRequest.uri)
    }

    @Test(
        "A stop of less than a minute is asked for by name",
        arguments: [(2, "Publish this for only 2s?"), (60, "Publish this?")])
    func shortStop(seconds: Int, question: String) async {
        let publication = Publication(action: .kill, endsAfter: .seconds(seconds))
        let review = await PublicationReview(publication, document: Data("{}".utf8), now: nil, after: nil, at: Date())
        #expect(review.question == question)
    }

    @Test("What is asked before a publish is what clients will get, and publishes nothing")
    func review() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let (review, alone, old, refused, proposal) = try await live.talk { client in
                let body = #"{"action":"kill","message":"Back at noon.","endsAfter":7200,"reason":"disk"}"#
                let review = try client.put("/status?review=true", body, token: token)
                let endless = #"{"action":"kill","reason":"disk"}"#
                let alone = try client.put("/status?review=true&breakGlass=true", endless, token: token)
                let old = try client.put("/status?dryRun=true", body, token: token)
                let refused = try client.put("/status?review=yes", body, token: token)
                let made = try client.put("/status?propose=true", body, token: token)
                #expect(made.code == 202, "\(made.body)")
                let id = try StoreJSON.value(Proposal.self, from: Data(made.body.utf8)).id
                return (
                    review, alone, old, refused,
                    try client.answer(to: "/v1/proposals/\(id)?review=true", "Authorization: Bearer \(token)")
                )
            }
            #expect(review.code == 200 && refused.problem == .invalidRequest)
            let facts = try Self.facts(review)
            #expect(facts["publish"] == "■ PAUSED" && facts["to"] == "the app default, every channel")
            #expect(facts["message"] == "Back at noon." && facts["why"] == "disk" && facts["checks"] == "every 15s")
            #expect(facts["for"]?.hasPrefix("2h, until 2") == true)
            #expect(try Self.facts(alone)["how"]?.hasPrefix("alone") == true)
            #expect(facts["now"] == "nothing was published for this app yet" || facts["now"]?.hasPrefix("● LIVE") == true)
            #expect(Self.withoutEnd(facts["document"]) == Self.withoutEnd(old.body) && old.body.contains("backAt"))
            let proposed = try Self.facts(proposal)
            #expect(proposed["document"] == Self.withoutEnd(old.body) && proposed["by"]?.hasPrefix("test-publish, at 2") == true)
            #expect(try live.store.journal().allSatisfy { $0.action != "kill" || $0.subject != nil })
        }
    }

    @Test("A review shows the message in every language, and names the languages that other messages have and this one does not")
    func languages() async throws {
        try await LiveServer.run { live in
            let token = try await live.token()
            let facts = try await live.talk { client in
                let rule = #"{"id":"n","effect":"notice","message":"Later.","messages":{"pl":"Później.","de":"Später."}}"#
                let rules = #"{"action":"rules","rules":{"put":[\#(rule)],"everyone":true}}"#
                #expect(try client.put("/status", rules, token: token).code == 201)
                let first = #"{"action":"kill","message":"Back at noon.","messages":{"fr":"À midi.","de":"Ab Mittag."}}"#
                #expect(try client.put("/status", first, token: token).code == 201)
                let next = #"{"action":"kill","message":"Back at one.","messages":{"de-AT":"Ab eins."}}"#
                return try Self.facts(try client.put("/status?review=true", next, token: token))
            }
            #expect(facts["message"] == "Back at one." && facts["in de-AT"] == "Ab eins.")
            #expect(facts["missing"] == "fr, pl; other messages are published in these languages")
            let report = try ServedStatus(#require(try live.store.status(.main))).report(at: Date())
            #expect(report.text(at: Date()).contains("in fr"))
        }
    }

    /// A document without the time that follows from when its kill begins.
    private static func withoutEnd(_ document: String?) -> String? { document?.replacing(/,"backAt":"[^"]*"/, with: "") }

    private static func facts(_ answer: WireAnswer) throws -> [String: String] {
        struct Review: Decodable {
            struct Fact: Decodable {
                let name: String
                let value: String
            }
            let question: String
            let facts: [Fact]
        }
        let review = try JSONDecoder().decode(Review.self, from: Data(answer.body.utf8))
        #expect(review.question == "Publish this?")
        return Dictionary(uniqueKeysWithValues: review.facts.map { ($0.name, $0.value) })
    }
}
