import Barricade
import Bellerophon
import BellerophonBase
import CloudBox
import Foundation
import TerminalUI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A status endpoint that exists in this process only.
package struct Simulation: Sendable {
    package let barricade: Barricade
    /// The address that the simulated endpoint answers at.
    package let url: URL
    /// Whether a person can pick what it answers.
    package var hasPicker = true
    /// Where the simulated server has content; nil where the scenarios are a person's own.
    package private(set) var contentServer: URL?

    /// The address where the scenarios leave it open. `.invalid` never resolves (RFC 6761), so that a request that
    /// escaped the barricade could reach nobody.
    package static let url = URL(string: "http://demo.invalid/status") ?? URL(fileURLWithPath: "/")

    /// The ready scenarios, starting live.
    /// - Parameter store: where selections are kept.
    package init(store: any SelectionStore = MemorySelectionStore()) {
        barricade = Barricade(store: store)
        url = Self.url
        barricade.register(StatusScenarios.file)
        barricade.register(SimulatedContent().responseSet)
        contentServer = SimulatedContent.server
    }

    /// The scenarios of files, starting with their defaults.
    ///
    /// Requests of the same name are one, with the responses of all the files; what two files have under one name is
    /// the later one's.
    /// - Parameter store: where selections are kept.
    /// - Throws: where the files hold no request to ask for.
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
        barricade = Barricade(store: store)
        self.url = url
        for set in ScenarioSource.sets(of: files) { barricade.register(set) }
        barricade.register(ScenarioFile(timelines: files.flatMap(\.file.timelines)))
    }

    /// Content that the barricade answers, kept in a folder of this run only.
    package func content() -> CloudBoxConfiguration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bellerophon-demo-\(UUID().uuidString)")
        let barricade = barricade
        return CloudBoxConfiguration(
            folder: folder, servers: contentServer.map { [$0] } ?? [], sessionConfiguration: { barricade.configuration }
        )
    }

    /// A source that the barricade answers, through the same code that asks a real server.
    package func source(timeout: Duration) -> URLSessionStatusSource {
        URLSessionStatusSource(url: url, limits: .init(deadline: timeout), configuration: barricade.configuration)
    }
}

extension Simulation {
    /// The app that the demonstration pretends to be.
    package static let app = AppInfo(
        name: "QA build", version: "1.4.0", link: "https://example.com/get",
        updateCommand: "echo 'Here the update would run. Nothing is changed.'"
    )

    /// Lets the simulated server answer with a scenario from now on.
    /// - Throws: where there is none of that name.
    package func select(_ name: String) throws(BarricadeError) {
        let sets = barricade.responseSets
        let request = sets.first { $0[name] != nil } ?? sets.first
        try barricade.select(name, for: request?.requestName ?? StatusScenarios.requestName)
    }

    /// The timelines and scenarios by group, a line each.
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
