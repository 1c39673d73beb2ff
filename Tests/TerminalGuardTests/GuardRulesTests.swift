import Testing

@testable import TerminalGuard

/// What holds for every event in every state that a relay can bring a guard into.
@Suite("Guard machine: rules")
struct GuardRulesTests {
    @Test("Every possible event keeps every rule in every state that a few events lead to")
    func everyState() {
        var broken: [String: String] = [:]
        let states = GuardExploration.visit(limit: 500) { step in
            for rule in GuardRule.all where broken[rule.sentence] == nil && !rule.isKept(step) {
                broken[rule.sentence] = step.story
            }
            if let fault = step.after.faults.first, broken[fault] == nil { broken[fault] = step.story }
        }
        for (sentence, story) in broken { Issue.record("\(sentence): \(story)") }
        // The exploration has not become too small to mean something.
        for state in ["cover running paused", "lent waiting blocked", "away stopped blocked", "closing (refused)", "finished"] {
            #expect(states.contains(state), "\(state)")
        }
        #expect(states.count > 100)
    }
}
