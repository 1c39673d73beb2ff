import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import Testing

@testable import ScenarioKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The simulation that `demo` builds from scenario files.
@Suite struct SimulationTests {
    @Test(arguments: [
        (RequestMatch(), "http://demo.invalid/status"),
        (
            RequestMatch(scheme: "https", host: "api.example", path: "/v1/*", query: ["v": "*", "app": "qa"]),
            "https://api.example/v1/?app=qa&v=1"
        ),
    ])
    func theAppAsksForWhatTheFileAnswers(match: RequestMatch, url: String) throws {
        let file = ScenarioFile(requests: [
            ScenarioRequest("status", match: match, responses: [ScenarioResponse("a", answer: .silence)])
        ])
        let simulation = try Simulation([ScenarioSource(name: "a.json", file: file)])
        #expect(simulation.url.absoluteString == url)
        #expect(simulation.barricade.answer(to: URLRequest(url: simulation.url)).responseName == "a")
    }

    @Test func filesWithoutARequestAreRefused() {
        let error = ConfigurationError(origin: "a.json", "no request that the demonstration could make: it asks with GET")
        #expect(throws: error) { try Simulation([ScenarioSource(name: "a.json", file: ScenarioFile())]) }
        let posting = ScenarioFile(requests: [ScenarioRequest("status", match: RequestMatch(method: "POST"), responses: [])])
        #expect(throws: error) { try Simulation([ScenarioSource(name: "a.json", file: posting)]) }
    }

    @Test("A scenario is found by its name in any request of the file")
    func scenarioIsFoundByName() throws {
        let file = ScenarioFile(requests: [
            ScenarioRequest("list", match: RequestMatch(path: "/list"), responses: [ScenarioResponse("empty", answer: .silence)]),
            ScenarioRequest(
                "status", match: RequestMatch(path: "/status"),
                responses: [
                    ScenarioResponse("live", answer: .silence), ScenarioResponse("gone", answer: .silence),
                ]),
        ])
        let simulation = try Simulation([ScenarioSource(name: "a.json", file: file)])
        #expect(simulation.url.path == "/status")
        try simulation.select("gone")
        #expect(simulation.barricade.selectedResponse(for: "status")?.name == "gone")
    }

    @Test func theReadyLibraryHasItsStoriesFirst() {
        let simulation = Simulation()
        #expect(simulation.listing.hasPrefix("Timelines\n  planned maintenance "))
        #expect(simulation.barricade.timelines.count == 8)
    }
}
