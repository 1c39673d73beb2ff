import ScenarioKit

/// What the screen shows of a simulated server, and what a person picks from.
package struct SimulationModel: Equatable, Sendable {
    /// Whether a barricade replaces the server.
    let isSimulated: Bool
    /// The barricade's state, also with the picker disabled.
    package internal(set) var known: ScenarioList
    /// The scenarios to pick from, marked ones first; nil without a barricade or with the picker disabled.
    package internal(set) var scenarios: ScenarioList?
    /// The bookmarks of scenarios and timelines, in the order in which they were marked.
    var bookmarks: [String] = []
    /// Drawn over everything else, including the overlay.
    var picker: ScenarioPicker?
    /// What is presented to an audience; nil for nothing.
    package var presentation: Presentation?

    /// - Parameters:
    ///   - scenarios: the scenarios and timelines of a barricade; nil with a real server.
    ///   - hasPicker: whether the scenarios can be picked. If false, the barricade's keys are disabled.
    package init(_ scenarios: ScenarioList? = nil, hasPicker: Bool = true) {
        isSimulated = scenarios != nil
        known = scenarios ?? .empty
        self.scenarios = hasPicker ? scenarios : nil
    }
}
