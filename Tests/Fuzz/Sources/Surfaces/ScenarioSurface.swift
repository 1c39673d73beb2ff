import Foundation

@testable import Barricade

/// A scenario file is either refused with positions and reasons, or unchanged after writing and reading it again.
enum ScenarioSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        let file: ScenarioFile
        do throws(ScenarioFileError) {
            file = try ScenarioFile(json: Data(input), file: "story.json")
        } catch {
            try require(!error.problems.isEmpty, "it is refused without a reason")
            for problem in error.problems {
                try require(!holdsControl("\(problem)"), "a reason holds a control: \(TextSurface.scalars("\(problem)"))")
            }
            return
        }
        let json = file.json
        guard let again = try? ScenarioFile(json: Data(json.utf8), file: "again.json") else {
            throw Violation("what was written can't be read: \(json)")
        }
        try require(again == file, "what was written is read as something else: \(json)")
        try require(again.json == json, "what was read is written as something else: \(json)")
        for name in file.requests.flatMap({ [$0.name] + $0.responses.map(\.name) }) + file.timelines.map(\.name) {
            try require(!name.isEmpty && !holdsControl(name), "a name holds a control")
        }
    }

    private static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.isBidiControl
                || $0.properties.generalCategory == .lineSeparator
        }
    }
}
