import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Program guard")
@MainActor
struct ProgramGuardTests {
    private static let url = URL(string: "https://status.example.com/status")

    private func refusal(of address: String) throws -> String {
        let url = try #require(URL(string: address))
        let error = #expect(throws: ProgramGuardError.self) { try startWithoutAwait(url) }
        return error?.description ?? ""
    }

    /// A synchronous function: in an asynchronous one the compiler asks for `await`.
    private func startWithoutAwait(_ url: URL) throws(ProgramGuardError) {
        try ProgramGuard.start(statusURL: url)
    }

    @Test(
        "An address that can't be used is refused before anything is started",
        arguments: [
            ("status.example.com/status", "has no scheme; put https:// before it"),
            ("file:///status", "begins with file://; use an http or https address"),
            ("https:///status", "has no host; write one after https://"),
        ])
    func unusableAddressIsRefused(address: String, problem: String) async throws {
        #expect(try refusal(of: address) == "the status URL \"\(address)\" \(problem)")
    }

    @Test("In a task the synchronous form is refused")
    func synchronousFormIsRefusedInTask() async throws {
        let url = try #require(Self.url)
        #expect(throws: ProgramGuardError.calledInTask) { try startWithoutAwait(url) }
    }

    @Test("A process with other threads is refused")
    func threadsAreRefused() async throws {
        let url = try #require(Self.url)
        let error = await #expect(throws: ProgramGuardError.self) { try await ProgramGuard.start(statusURL: url) }
        guard case .threadsExist(let count) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(count > 1)
    }

    @Test("Every error says what to do, in one line")
    func errorsAreOneLine() {
        let errors: [ProgramGuardError] = [
            .unusableAddress("it has no scheme: begin it with https://"), .threadsExist(3), .calledInTask,
            .notStarted("no /proc"),
        ]
        #expect(errors.allSatisfy { !$0.description.contains("\n") && $0.description.contains(":") })
    }

    private struct Keys: KeyedVerifier {
        let keyTexts: [String]
        let audience: String

        func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus { throw .unsigned }
    }

    @MainActor
    @Test("A guard that trusts other keys does not stand for this one")
    func otherKeysAreAnotherGuard() throws {
        let url = try #require(Self.url)
        let keys = RelayProcess.fingerprint(url, Keys(keyTexts: ["a", "b"], audience: "x/y"))
        #expect(keys == RelayProcess.fingerprint(url, Keys(keyTexts: ["b", "a"], audience: "x/y")))
        #expect(keys == GuardNesting.fingerprint(statusURL: url.absoluteString, trustKeys: ["a", "b"], audience: "x/y"))
        let others: [(any StatusVerifier)?] = [
            nil, Keys(keyTexts: ["a"], audience: "x/y"), Keys(keyTexts: ["a", "b"], audience: "x/z"),
        ]
        #expect(Set(others.map { RelayProcess.fingerprint(url, $0) } + [keys]).count == 4)
    }

    @Test("A negative time counts as zero")
    func negativeTimes() {
        var options = ProgramGuard.Options()
        (options.startTimeout, options.startWait) = (.seconds(-1), .seconds(-1))
        #expect(options.startTimeout == .zero && options.startWait == .zero)
    }
}
