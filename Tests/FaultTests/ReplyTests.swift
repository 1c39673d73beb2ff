import Foundation
import TestSupport
import Testing

/// Whole replies that are cut at every byte and mutated at random, over real sockets, against check, stream and sync: no
/// process ends, nothing that is known changes. `BELLEROPHON_MUTATIONS` sets how many mutations each client gets;
/// `make mutations` asks for many.
@Suite("Replies", .serialized, .timeLimit(.minutes(10)))
struct ReplyTests {
    static let clients = ["poll", "stream", "sync"]
    static let mutations = ProcessInfo.processInfo.environment["BELLEROPHON_MUTATIONS"].flatMap { Int($0) } ?? 400

    private func probe(_ arguments: String...) async throws -> ProbeReport {
        let result = try await runCommand(
            Products.path("ReplyProbe"), arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], within: .seconds(500)
        )
        let report = ProbeReport(result)
        #expect(report.status == .exited(0), "\(arguments): \(result.standardError)")
        #expect(report.all("violation") == [])
        Figures.note(
            "\(arguments.joined(separator: " ")): \(report.lines.map { "\($0.subject) \($0.text)" }.joined(separator: ", "))")
        return report
    }

    @Test(arguments: clients, ["active", "killed"])
    func aSoundReplyIsReadRight(client: String, known: String) async throws {
        let report = try await probe("sound", client, known)
        #expect(report.number("done") == 10)
        #expect(report.number("believed") == 9)
    }

    @Test(arguments: clients, ["active", "killed"])
    func aCutAtAnyByteChangesNothing(client: String, known: String) async throws {
        let report = try await probe("cuts", client, known)
        #expect(report.number("done") > 2000)
    }

    @Test(arguments: clients, ["active", "killed"])
    func aMutationChangesNothing(client: String, known: String) async throws {
        let report = try await probe("mutations", client, known, "--count", "\(Self.mutations)")
        #expect(report.number("done") == Double(Self.mutations))
    }
}
