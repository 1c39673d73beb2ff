public import Barricade

public import Foundation
public import Bellerophon
import TerminalUI

/// A status endpoint that exists in this process only.
public struct Simulation: Sendable {
    /// The address that the simulated endpoint answers at. `.invalid` never resolves (RFC 6761), so that a request
    /// that escaped the barricade could reach nobody.
    public static let url = URL(string: "http://demo.invalid/status") ?? URL(fileURLWithPath: "/")

    public let barricade: Barricade

    /// The ready scenarios, starting live.
    public init() {
        barricade = Barricade()
        barricade.register(StatusScenarios.file)
    }

    /// A source that the barricade answers, through the same code that asks a real server.
    public func source(timeout: Duration) -> URLSessionStatusSource {
        URLSessionStatusSource(
            url: Self.url, limits: .init(deadline: timeout), configuration: barricade.configuration
        )
    }
}

extension Simulation {
    /// The app that the demonstration pretends to be.
    public static let app = AppInfo(
        name: "QA build", version: "1.4.0", link: "https://example.com/get",
        updateCommand: "echo 'Here the update would run. Nothing is changed.'"
    )

    /// Lets the simulated server answer with a scenario from now on.
    /// - Throws: where there is none of that name.
    public func select(_ name: String) throws {
        try barricade.select(name, for: StatusScenarios.requestName)
    }

    /// The scenarios by group, a line each.
    public var listing: String {
        let scenarios = ScenarioList(barricade).scenarios
        let width = scenarios.map { CellText.width(of: $0.name) }.max() ?? 0
        var lines: [String] = []
        var group: String?
        for scenario in scenarios {
            if scenario.group != group {
                lines += (lines.isEmpty ? [] : [""]) + [scenario.group]
                group = scenario.group
            }
            lines.append("  \(CellText.padded(scenario.name, columns: width))  \(scenario.summary)")
        }
        return lines.joined(separator: "\n")
    }
}
