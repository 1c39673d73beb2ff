import Foundation
import TestSupport
import Testing

/// Complete replies that are cut at every byte and mutated at random, over real sockets, for check, stream and sync: no
/// process ends and no known state changes. `BELLEROPHON_MUTATIONS` sets the number of mutations per client; `make
/// mutations` uses a large number.
@Suite("Replies", .serialized)
struct ReplyTests {
    static let clients = ["poll", "stream", "sync"]
    static let isThorough = mutations > 1000
    static let mutations = ProcessInfo.processInfo.environment["BELLEROPHON_MUTATIONS"].flatMap { Int($0) } ?? 250

    private func probe(_ arguments: String...) async throws -> ProbeReport {
        let result = try await runCommand(
            "ReplyProbe", arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], within: .seconds(500))
        let report = ProbeReport(result)
        #expect(report.status == .exited(0), "\(arguments): \(result.standardError)")
        #expect(report.all("violation") == [])
        Figures.record(
            "\(arguments.joined(separator: " ")): \(report.lines.map { "\($0.subject) \($0.text)" }.joined(separator: ", "))")
        return report
    }

    @Test(arguments: clients, ["active", "killed"])
    func aSoundReplyIsReadRight(client: String, known: String) async throws {
        let report = try await probe("sound", client, known)
        #expect(report.number("done") == 10)
        #expect(report.number("believed") == 9)
    }

    /// Without many mutations a third of the cuts is made for each known status, closes and resets in turn.
    @Test(arguments: clients, ["active", "killed"])
    func aCutAtAnyByteChangesNothing(client: String, known: String) async throws {
        // A close and a reset of each byte follow each other.
        let first = client == "stream" ? ["active": 1, "killed": 2] : ["active": 0, "killed": 1]
        let report = try await probe(
            "cuts", client, known, "--every", Self.isThorough ? "1" : "3", "--from", "\(Self.isThorough ? 0 : first[known] ?? 0)")
        #expect(report.number("done") > (Self.isThorough ? 2000 : 500))
    }

    @Test(arguments: clients, ["active", "killed"])
    func aMutationChangesNothing(client: String, known: String) async throws {
        let report = try await probe(
            "mutations", client, known, "--count", "\(Self.mutations)", "--seed", "\(Seed.of("mutations", default: 1))")
        #expect(report.number("done") == Double(Self.mutations))
    }
}
