import BellerophonBase
import Foundation

extension ScenarioFile {
    /// The file as text, which ``init(json:file:)`` parses to the same value.
    package var json: String { ScenarioWriter.file(self).prettyText() + "\n" }
}

/// Converts scenario values to JSON. Default values are omitted.
enum ScenarioWriter {
    static func file(_ file: ScenarioFile) -> JSONNode {
        .object([
            ("title", file.title.isEmpty ? nil : .text(file.title)),
            ("summary", file.summary.isEmpty ? nil : .text(file.summary)),
            ("requests", .object(file.requests.map { ($0.name, request($0)) })),
            ("timelines", file.timelines.isEmpty ? nil : .object(file.timelines.map { ($0.name, timeline($0)) })),
        ])
    }

    private static func request(_ request: ScenarioRequest) -> JSONNode {
        .object([
            ("match", request.match == RequestMatch() ? nil : match(request.match)),
            ("default", request.defaultResponse.map(JSONNode.text)),
            ("responses", .object(request.responses.map { ($0.name, response($0)) })),
        ])
    }

    private static func match(_ match: RequestMatch) -> JSONNode {
        .object([
            ("method", match.method.map(JSONNode.text)), ("scheme", match.scheme.map(JSONNode.text)),
            ("host", match.host.map(JSONNode.text)),
            ("path", match.path.map(JSONNode.text)), ("query", match.query.isEmpty ? nil : texts(match.query)),
        ])
    }

    private static func response(_ response: ScenarioResponse) -> JSONNode {
        .object(
            [
                ("summary", response.summary.isEmpty ? nil : .text(response.summary)),
                ("group", response.group.map(JSONNode.text)),
            ] + answer(response.answer) + [
                ("delay", response.delay == .zero ? nil : seconds(response.delay)),
                ("jitter", response.jitter == .zero ? nil : seconds(response.jitter)),
            ] + setting(response.setting)
        )
    }

    private static func answer(_ answer: ScenarioResponse.Answer) -> [(String, JSONNode?)] {
        switch answer {
        case .reply(let reply): self.reply(reply)
        case .failure(let code):
            [("error", ScenarioKeys.failures.first { $0.value == code }.map { .text($0.key) } ?? .number(code))]
        case .silence: [("fault", .text(ScenarioReader.neverAnswer))]
        }
    }

    private static func reply(_ reply: ScenarioReply) -> [(String, JSONNode?)] {
        let head = reply.head
        return [
            ("status", head.statusCode == 200 ? nil : .number(head.statusCode)),
            ("headers", head.headers.isEmpty ? nil : texts(head.headers)),
            body(reply.body),
            ("bodyBytes", head.bodyBytes.map { .number($0) }),
            ("bytesPerSecond", head.bytesPerSecond.map { .number($0) }),
            ("fault", head.ending == .complete ? nil : .text(head.ending.rawValue)),
        ]
    }

    /// Invalid JSON is written as text.
    private static func body(_ body: ScenarioReply.Body) -> (String, JSONNode?) {
        switch body {
        case .none: ("text", nil)
        case .json(let json):
            if let node = try? JSONReader.read(Data(json.utf8), .scenario) { ("json", node) } else { ("text", .text(json)) }
        case .text(let words): ("text", .text(words))
        case .data(let bytes): ("base64", .text(Data(bytes).base64EncodedString()))
        case .file(let path): ("file", .text(path))
        }
    }

    private static func timeline(_ timeline: Timeline) -> JSONNode {
        .object(
            [("summary", timeline.summary.isEmpty ? nil : .text(timeline.summary))] + setting(timeline.setting) + [
                ("request", .text(timeline.request)),
                ("steps", .array(timeline.steps.map(step))),
                ("repeats", timeline.repeats ? .bool(true) : nil),
                ("expect", timeline.expectations.isEmpty ? nil : .array(timeline.expectations.map(expectation))),
            ])
    }

    private static func setting(_ setting: ScenarioSetting) -> [(String, JSONNode?)] {
        [
            ("client", setting.client.isEmpty ? nil : client(setting.client)),
            ("at", setting.time.map { .text($0.text) }),
        ]
    }

    private static func client(_ client: ClientChange) -> JSONNode {
        let facts = client.facts.sorted { $0.key < $1.key }.map { ($0.key, Optional(fact($0.value))) }
        return .object([
            ("version", client.version.map(fact)), ("osVersion", client.osVersion.map(fact)),
            ("installID", client.installID.map(fact)), ("facts", facts.isEmpty ? nil : .object(facts)),
        ])
    }

    private static func fact(_ fact: ClientChange.Fact) -> JSONNode { fact.text.map(JSONNode.text) ?? JSONNode(.null) }

    private static func step(_ step: Timeline.Step) -> JSONNode {
        var fields: [(String, JSONNode?)] = [("response", .text(step.response))]
        switch step.length {
        case .lasting(let time): fields.append(("for", seconds(time)))
        case .times(let count): fields.append(("times", .number(count)))
        case .untilTold: break
        }
        return .object(fields + [("note", step.note.isEmpty ? nil : .text(step.note))] + setting(step.setting))
    }

    private static func expectation(_ expectation: Timeline.Expectation) -> JSONNode {
        .object([
            ("from", .text(expectation.from)), ("to", .text(expectation.to)), ("within", expectation.within.map(seconds)),
            ("by", expectation.by.map(JSONNode.text)),
        ])
    }

    // MARK: Nodes

    /// Seconds with up to six decimals.
    private static func seconds(_ time: Duration) -> JSONNode {
        let parts = time.components
        let micros = String(parts.attoseconds / 1_000_000_000_000)
        var text = String(repeating: "0", count: max(0, 6 - micros.count)) + micros
        while text.hasSuffix("0") { text.removeLast() }
        return JSONNode(.number(time / .seconds(1), text: "\(parts.seconds)" + (text.isEmpty ? "" : ".\(text)")))
    }

    private static func texts(_ texts: [String: String]) -> JSONNode {
        .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
    }
}
