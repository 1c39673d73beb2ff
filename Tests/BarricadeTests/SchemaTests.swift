import Bellerophon
import Foundation
import Testing

@testable import Barricade

/// The schema matches the reader: the same keys in the same objects, and the same enumerated values.
@Suite struct SchemaTests {
    private let definitions: [String: Any]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent("Sources/ReadyScenarios/scenarios.schema.json"))
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$ref"] as? String == "#/$defs/file")
        definitions = try #require(schema["$defs"] as? [String: Any])
    }

    private func definition(_ name: String) throws -> [String: Any] {
        try #require(definitions[name] as? [String: Any], "no definition of \(name)")
    }

    private func property(_ key: String, of name: String) throws -> [String: Any] {
        let properties = try #require(try definition(name)["properties"] as? [String: Any])
        return try #require(properties[key] as? [String: Any])
    }

    @Test(arguments: ScenarioKeys.allCases)
    func everyObjectHasTheReadersKeys(object: ScenarioKeys) throws {
        let definition = try definition(object.rawValue)
        let properties = try #require(definition["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(object.known))
        #expect(definition["additionalProperties"] as? Bool == false)
    }

    @Test func theSchemaHasNoObjectThatTheReaderLacks() {
        let objects = definitions.filter { ($0.value as? [String: Any])?["properties"] != nil }.map(\.key)
        #expect(Set(objects) == Set(ScenarioKeys.allCases.map(\.rawValue)))
    }

    @Test func theNamesOfStagesAreTheAppsOwn() {
        #expect(Timeline.Expectation.stages == Stage.allCases.map(\.rawValue))
        #expect(
            Timeline.Expectation.names.map { Timeline.Expectation.stage(named: $0) }
                == Stage.names.map { Stage(name: $0)?.rawValue })
        #expect(Stage.names == ["unknown", "live", "paused", "update", "active", "killed", "updateRequired"])
        #expect(Timeline.Expectation.names.count == Stage.names.count && Stage(name: "stopped") == nil)
    }

    @Test func theWordsAreTheReaders() throws {
        #expect(try definition("stage")["enum"] as? [String] == Timeline.Expectation.names)
        let faults = ["neverAnswer"] + ReplyEnding.allCases.filter { $0 != .complete }.map(\.rawValue)
        #expect(try property("fault", of: "response")["enum"] as? [String] == faults)
        let errors = try #require(try property("error", of: "response")["anyOf"] as? [[String: Any]])
        #expect(errors[0]["enum"] as? [String] == ScenarioKeys.failures.map(\.key))
    }

    /// The reader requires every key that the schema requires.
    @Test(
        "The schema and the reader require the same keys",
        arguments: [
            ("file", "requests"), ("request", "responses"), ("timeline", "steps"), ("step", "response"),
            ("expectation", "from"), ("expectation", "to"),
        ])
    func requiredKeysAreRequired(object: String, key: String) throws {
        #expect((try definition(object)["required"] as? [String])?.contains(key) == true)
        let text = ScenarioFileTests.everything
        let file = try #require(
            try JSONSerialization.jsonObject(with: Data(text.replacing("1e400", with: "1").utf8)) as? [String: Any])
        let without = try JSONSerialization.data(withJSONObject: Self.removing(key, from: object, in: file))
        let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile(json: without) }
        #expect(error?.problems.contains { $0.sentence == "\"\(key)\" is missing" } == true)
    }

    /// The complete document without one key in one of its objects.
    private static func removing(_ key: String, from object: String, in file: [String: Any]) -> [String: Any] {
        let paths: [String: [String]] = [
            "file": [], "request": ["requests", "status"], "timeline": ["timelines", "maintenance"],
            "step": ["timelines", "maintenance", "steps", "0"], "expectation": ["timelines", "maintenance", "expect", "0"],
        ]
        return removing(paths[object, default: []] + [key], in: file) as? [String: Any] ?? [:]
    }

    private static func removing(_ path: [String], in value: Any) -> Any {
        let rest = Array(path.dropFirst())
        if var object = value as? [String: Any] {
            object[path[0]] = rest.isEmpty ? nil : object[path[0]].map { removing(rest, in: $0) }
            return object
        }
        guard var list = value as? [Any], let index = Int(path[0]) else { return value }
        list[index] = removing(rest, in: list[index])
        return list
    }
}
