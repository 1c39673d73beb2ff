import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// The recipes of docs/rules.md do what the guide says.
@Suite("Recipes for rules")
struct RecipeTests {
    /// A client and a time, and what the document of a recipe means for it.
    struct Case: Sendable, CustomStringConvertible {
        let recipe: String
        var version: String?
        var osVersion: String?
        var facts: [String: String] = ["os": "linux", "ci": "false", "source": "apt"]
        var install: String?
        var at = "2026-12-03T12:00:00Z"
        let stage: Stage
        var by: String?
        var to: String?
        var notice: String?

        var description: String { "\(recipe), \(version ?? "no version"), \(at)" }
    }

    static let cases: [Case] = [
        Case(recipe: "minimum-version", version: "1.5.1", stage: .updateRequired, by: "min-15", to: "1.5.2"),
        Case(recipe: "minimum-version", version: "1.5.2-rc.1", stage: .updateRequired, by: "min-15", to: "1.5.2"),
        Case(recipe: "minimum-version", version: "1.5.2", stage: .active),
        Case(recipe: "minimum-version", stage: .active),
        Case(recipe: "blocked-release", version: "1.5.9", stage: .active),
        Case(recipe: "blocked-release", version: "1.6.0", stage: .updateRequired, by: "bad-16", to: "1.6.4"),
        Case(recipe: "blocked-release", version: "1.6.4", stage: .active),
        Case(recipe: "staged-rollout", version: "1.6.0", install: inside, stage: .active, notice: "offer-17 holding"),
        Case(recipe: "staged-rollout", version: "1.6.0", install: outside, stage: .active),
        Case(recipe: "staged-rollout", version: "1.7.0", install: inside, stage: .active),
        Case(recipe: "staged-rollout", version: "1.6.0", stage: .active),
        Case(recipe: "deadline", version: "1.4.0", at: "2026-11-30T23:59:59Z", stage: .active),
        Case(recipe: "deadline", version: "1.4.0", stage: .active, notice: "end-of-14 announced"),
        Case(recipe: "deadline", version: "1.5.0", stage: .active),
        Case(
            recipe: "deadline", version: "1.4.0", at: "2026-12-15T00:00:00Z", stage: .updateRequired, by: "end-of-14", to: "1.5.2"
        ),
        Case(recipe: "deadline", version: "1.5.0", at: "2026-12-15T00:00:00Z", stage: .active),
        Case(recipe: "weekly-window", stage: .active),
        Case(recipe: "weekly-window", at: "2026-12-11T22:00:00Z", stage: .active, notice: "saturday-12 announced"),
        Case(recipe: "weekly-window", at: "2026-12-12T22:00:00Z", stage: .killed, by: "saturday-12"),
        Case(recipe: "weekly-window", at: "2026-12-12T23:30:00Z", stage: .active),
        Case(recipe: "ceiling", version: "2.0.0", facts: ["site": "ward"], stage: .updateRequired, by: "too-new", to: "1.9.3"),
        Case(recipe: "ceiling", version: "1.9.9", facts: ["site": "ward"], stage: .active),
        Case(recipe: "ceiling", version: "2.0.0", stage: .active),
        Case(recipe: "build-machines", version: "1.4.0", stage: .updateRequired, by: "min-15", to: "1.5.2"),
        Case(recipe: "build-machines", version: "1.4.0", facts: ["ci": "true"], stage: .active),
        Case(recipe: "read-only", facts: ["region": "eu"], stage: .active, notice: "ro holding"),
        Case(recipe: "read-only", facts: ["region": "us"], stage: .active),
        Case(recipe: "one-platform", osVersion: "14.3.1", facts: ["os": "macos"], stage: .killed, by: "mac-14"),
        Case(recipe: "one-platform", osVersion: "14.4", facts: ["os": "macos"], stage: .active),
        Case(recipe: "one-platform", osVersion: "6.1.0", stage: .active),
        Case(
            recipe: "one-source", version: "1.6.0", facts: ["source": "snap"], stage: .updateRequired, by: "snap-16", to: "1.6.1"),
        Case(recipe: "one-source", version: "1.6.0", stage: .active),
    ]

    /// Two installations: one inside of the tenth that the draw `1.7` covers first, and one outside of it.
    static let inside = install { $0 < 1000 }
    static let outside = install { $0 >= 1000 }

    private static func install(_ isMeant: (Int) -> Bool) -> String {
        let ids = (0..<1000).lazy.map { "install-\($0)" }
        return ids.first { Share.number(of: $0, draw: "1.7").map(isMeant) ?? false } ?? ""
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs").standardized

    private func text(_ recipe: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: "rules/\(recipe).json"), encoding: .utf8)
    }

    @Test(arguments: cases) func meansWhatTheGuideSays(_ example: Case) throws {
        let document = try StatusDocument(json: Data(try text(example.recipe).utf8))
        #expect(document.remarks.isEmpty)
        let app = AppFacts(
            version: example.version, osVersion: example.osVersion, installID: example.install, values: example.facts)
        #expect(PlanTime.date(example.at) != nil)
        let verdict = document.verdict(for: app, at: PlanTime.date(example.at))
        #expect(verdict.stage == example.stage)
        #expect(verdict.restrictions.first?.by == example.by)
        #expect(verdict.restrictions.first?.requiredVersion == example.to)
        #expect(verdict.notices.map { "\($0.rule.id) \($0.phase.rawValue)" } == [example.notice].compactMap(\.self))
    }

    @Test func everyRecipeIsInTheGuideAndTested() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: "rules").path)
        let recipes = Set(files.map { String($0.dropLast(".json".count)) })
        #expect(recipes == Set(Self.cases.map(\.recipe)))
        let guide = try String(contentsOf: Self.folder.appending(path: "rules.md"), encoding: .utf8)
        for recipe in recipes { #expect(guide.contains(try text(recipe)), "\(recipe) in docs/rules.md") }
    }
}
