import Barricade
import Bellerophon
import BellerophonBase
import CloudBox
import Foundation
import ReadyScenarios
import TerminalUI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A status endpoint that exists only in this process.
package struct Simulation: Sendable {
    package let barricade: BarricadeServer
    /// The URL of the simulated endpoint.
    package let url: URL
    /// Whether the user can pick its responses.
    package var hasPicker = true
    /// The simulated content server; nil with the user's own scenario files.
    package private(set) var contentServer: URL?
    /// The request for the status, with the responses of all files as data.
    let statusRequest: ScenarioRequest
    /// The name of the request for the status.
    package var requestName: String { statusRequest.name }

    /// The URL if the scenarios specify none. `.invalid` never resolves (RFC 6761), so that a request that bypasses the
    /// barricade reaches no server.
    package static let url = URL(string: "http://demo.invalid/status") ?? URL(fileURLWithPath: "/")

    /// The ready scenarios, initially live.
    /// - Parameter store: stores the selections.
    package init(store: any SelectionStore = MemorySelectionStore()) {
        barricade = BarricadeServer(store: store)
        url = Self.url
        statusRequest =
            StatusScenarios.file.request(StatusScenarios.requestName)
            ?? ScenarioRequest(StatusScenarios.requestName, responses: [])
        barricade.register(StatusScenarios.file)
        barricade.register(SimulatedContent().responseSet)
        contentServer = SimulatedContent.server
        barricade.takeSettings()
    }

    /// The scenarios of files, initially with their default responses.
    ///
    /// Requests of the same name are merged; if two files define the same name, the later file's definition is used.
    /// - Parameter store: stores the selections.
    /// - Throws: if the files contain no request that the demo can make.
    package init(
        _ files: [ScenarioSource], store: any SelectionStore = MemorySelectionStore()
    ) throws(ConfigurationError) {
        let requests = files.flatMap(\.file.requests)
        guard let status = requests.first(where: { $0.name == StatusScenarios.requestName }) ?? requests.first,
            let url = status.match.exampleURL, status.match.matches(URLRequest(url: url))
        else {
            throw ConfigurationError(
                origin: files.first?.name ?? "scenarios", "no request that the demonstration could make: it asks with GET")
        }
        barricade = BarricadeServer(store: store)
        self.url = url
        statusRequest = ScenarioSource.request(status.name, of: files)
        for set in ScenarioSource.sets(of: files) { barricade.register(set) }
        barricade.register(ScenarioFile(timelines: files.flatMap(\.file.timelines)))
        barricade.takeSettings()
    }

    /// Content that the barricade serves, stored in a folder for this run only.
    package func content() -> CloudBoxConfiguration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bellerophon-demo-\(UUID().uuidString)")
        let barricade = barricade
        return CloudBoxConfiguration(
            folder: folder, servers: contentServer.map { [$0] } ?? [], sessionConfiguration: { barricade.configuration }
        )
    }

    /// The clock of an app that asks the simulated server.
    package func clock(_ base: any ManagerClock) -> SimulatedClock { SimulatedClock(base, barricade) }

    /// A source that the barricade serves, with the same code as for a real server.
    package func source(timeout: Duration) -> URLSessionStatusSource {
        URLSessionStatusSource(url: url, limits: .init(deadline: timeout), configuration: barricade.configuration)
    }
}

extension Simulation {
    /// The app that the demo simulates.
    package static let app = AppInfo(
        name: "QA build", version: "1.4.0", link: "https://example.com/get",
        updateCommand: "echo 'Here the update would run. Nothing is changed.'"
    )

    /// Selects a scenario as the simulated server's response.
    /// - Throws: if no scenario has that name.
    package func select(_ name: String) throws(BarricadeError) {
        let sets = barricade.responseSets
        let request = sets.first { $0[name] != nil } ?? sets.first
        try barricade.select(name, for: request?.requestName ?? StatusScenarios.requestName)
    }

    /// The timelines and scenarios by group, one per line.
    package var listing: String {
        let items = ScenarioList(barricade).items
        let width = items.map { CellText.width(of: $0.name) }.max() ?? 0
        var lines: [String] = []
        var group: String?
        for item in items {
            if item.group != group {
                group = item.group
                lines += (lines.isEmpty ? [] : [""]) + (item.group.isEmpty ? [] : [item.group])
            }
            let line = "  \(CellText.padded(item.name, columns: width))  \(item.summary)"
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        return lines.joined(separator: "\n")
    }
}

/// The ready responses and timelines of a simulated status endpoint, grouped and described for the picker.
package enum StatusScenarios {
    /// The name of their kind of request.
    package static let requestName = "status"

    /// The scenarios that ship with the package.
    package static let file = ReadyScenarios.all
}
