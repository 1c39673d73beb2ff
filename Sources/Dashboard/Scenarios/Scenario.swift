import Barricade

/// A response that a person can pick.
public struct Scenario: Equatable, Sendable {
    /// The kind of request that it answers.
    public let request: String
    public let name: String
    public let summary: String
    /// The heading that it stands under; empty for none.
    public let group: String

    public init(request: String, name: String, summary: String, group: String = "") {
        self.request = request
        self.name = name
        self.summary = summary
        self.group = group
    }
}

/// All that can be picked and what is selected, as a value.
public struct ScenarioList: Equatable, Sendable {
    public private(set) var scenarios: [Scenario]
    private var selected: [String: String]

    public init(_ scenarios: [Scenario], selected: [String: String] = [:]) {
        self.scenarios = scenarios
        self.selected = selected
    }

    /// What a barricade has to offer now.
    public init(_ barricade: Barricade) {
        let sets = barricade.responseSets
        scenarios = sets.flatMap { set in
            set.responses.map { response in
                Scenario(
                    request: set.requestName, name: response.name, summary: response.summary,
                    group: response.group ?? (sets.count > 1 ? set.requestName : "")
                )
            }
        }
        selected = sets.reduce(into: [:]) { $0[$1.requestName] = barricade.selectedResponse(for: $1.requestName)?.name }
    }

    /// Whether it is what the server answers now.
    public func isSelected(_ scenario: Scenario) -> Bool {
        selected[scenario.request] == scenario.name
    }

    public mutating func select(_ name: String, for request: String) {
        selected[request] = name
    }

    /// The place of the first selected scenario.
    public var firstSelected: Int? { scenarios.firstIndex(where: isSelected) }
}
