import Barricade
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Switching a barricade on and off, and requests that bypass it to a real local server.
struct SwitchTests {
    @Test func defaultAndEphemeralSessionsAreAnswered() async throws {
        let barricade = BarricadeServer.stub(Response("own", body: Data("own".utf8)))
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            barricade.protect(configuration)
            #expect(try await URLSession(configuration: configuration).answer(FaultTests.url).text == "own")
        }
    }

    /// Runs in its own process: on Linux the shared session reads its protocol classes once, at its first use.
    @Test func theSharedSessionIsAnswered() async {
        await #expect(processExitsWith: .success) {
            let barricade = BarricadeServer.stub(Response("own", body: Data("shared".utf8)))
            try #require(barricade.protectSharedSession())
            #expect(try await URLSession.shared.answer(FaultTests.url).text == "shared")
            barricade.isEnabled = false
            let refused = try #require(URL(string: "http://127.0.0.1:1/"))
            await #expect(throws: URLError.self) { try await URLSession.shared.answer(refused) }
        }
    }

    @Test func aConfigurationIsLetGo() async throws {
        let server = try HostileServer(.json("real"))
        let barricade = BarricadeServer.stub(Response("own", body: Data("own".utf8)))
        let configuration = barricade.configuration
        barricade.unprotect(configuration)
        #expect(try await URLSession(configuration: configuration).answer(server.url()).text == "real")
    }

    @Test("A disabled barricade passes requests through, and an enabled one answers them")
    func disabledServerPassesThrough() async throws {
        let server = try HostileServer(.json("real"))
        let barricade = BarricadeServer.stub(Response("own", body: Data("own".utf8)))
        let session = URLSession(configuration: barricade.configuration)
        #expect(try await session.answer(server.url()).text == "own")
        barricade.isEnabled = false
        #expect(try await session.answer(server.url()).text == "real")
        barricade.isEnabled = true
        #expect(try await session.answer(server.url()).text == "own")
    }

    @Test("Unmatched requests can be passed to the network or refused")
    func unmatchedRequestsCanPass() async throws {
        let server = try HostileServer(.json("real"))
        let barricade = BarricadeServer(unmatchedRequests: .pass)
        barricade.stub("status", where: RequestMatch(path: "/status"), with: Response("own", body: Data("own".utf8)))
        let session = URLSession(configuration: barricade.configuration)
        #expect(try await session.answer(server.url("/status")).text == "own")
        #expect(try await session.answer(server.url("/other")).text == "real")
        barricade.unmatchedRequests = .fail
        await #expect(throws: URLError.self) { try await session.answer(server.url("/other")) }
    }

    @Test func delaysAddUpAndCanBeSkipped() {
        let barricade = BarricadeServer(chance: { 0.5 })
        barricade.stub("all", with: Response("slow", delay: .seconds(3), jitter: .seconds(2)))
        let request = URLRequest(url: FaultTests.url)
        #expect(barricade.answer(to: request).wait == .seconds(4))
        barricade.delay = .seconds(10)
        #expect(barricade.answer(to: request).wait == .seconds(14))
        barricade.skipsDelays = true
        #expect(barricade.answer(to: request).wait == .zero)
    }

    @Test func aDelayIsWaited() async throws {
        let barricade = BarricadeServer()
        barricade.stub("slow", where: RequestMatch(path: "/slow"), with: Response("slow", delay: .seconds(3600)))
        barricade.stub("own", where: RequestMatch(path: "/own"), with: Response("own"))
        let session = URLSession(configuration: barricade.configuration)
        let base = try #require(URL(string: "http://app.example/"))
        let delayed = Task { try await session.answer(base.appendingPathComponent("slow")) }
        for _ in 1...20 { _ = try await session.answer(base.appendingPathComponent("own")) }
        delayed.cancel()
        let error = await #expect(throws: (any Error).self, "the others came before it") { try await delayed.value }
        #expect((error as? URLError)?.code == .cancelled || error is CancellationError)
    }

    @Test func aLaterStubOfTheSameNameReplacesTheFirst() async throws {
        let barricade = BarricadeServer.stub(Response("one", body: Data("1".utf8)))
        barricade.stub("stub", with: Response("two", body: Data("2".utf8)))
        #expect(try await barricade.get(FaultTests.url).text == "2")
        #expect(barricade.responseSets.count == 1)
    }
}
