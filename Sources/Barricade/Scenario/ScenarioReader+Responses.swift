import BellerophonBase
import Foundation

extension ScenarioReader {
    static func response(_ name: String, _ node: ScenarioNode) -> ScenarioResponse? {
        guard let fields = node.fields(.response) else { return nil }
        return ScenarioResponse(
            name, summary: fields["summary"]?.line() ?? "",
            group: fields["group"]?.line(maximum: 80), answer: answer(fields),
            delay: fields["delay"]?.seconds(aboveZero: false) ?? .zero,
            jitter: fields["jitter"]?.seconds(aboveZero: false) ?? .zero,
            setting: setting(fields)
        )
    }

    private static func answer(_ fields: ScenarioFields) -> ScenarioResponse.Answer {
        if let error = fields["error"] {
            refuseReply(beside: "error", fields)
            return .failure(code: code(error) ?? 0)
        }
        guard let fault = fields["fault"] else { return .reply(reply(fields, ending: .complete)) }
        let endings = ReplyEnding.allCases.filter { $0 != .complete }.map(\.rawValue)
        let word = fault.word([neverAnswer] + endings) ?? ""
        if word == neverAnswer {
            refuseReply(beside: "fault", fields)
            return .silence
        }
        return .reply(reply(fields, ending: ReplyEnding(rawValue: word) ?? .complete))
    }

    /// The value of `fault` for a request that gets no reply.
    static let neverAnswer = "neverAnswer"

    /// Reports keys that only apply to a reply.
    private static func refuseReply(beside key: String, _ fields: ScenarioFields) {
        let useless = ["status", "headers"] + ScenarioKeys.bodies + ["bodyBytes", "bytesPerSecond", "fault"]
        for name in useless where name != key {
            guard let field = fields[name] else { continue }
            field.refuse("means nothing beside \"\(key)\": there is no reply")
        }
    }

    private static func code(_ node: ScenarioNode) -> Int? {
        switch node.node.value {
        case .string(let text):
            if let known = ScenarioKeys.failures.first(where: { $0.key == text }) { return known.value }
        case .number(let number, _):
            if let code = Int(exactly: number), (-9999 ... -1).contains(code) { return code }
        default: break
        }
        let names = ScenarioKeys.failures.map(\.key).joined(separator: ", ")
        return node.expected("the code of a URLError, below 0, or one of \(names)")
    }

    private static func reply(_ fields: ScenarioFields, ending: ReplyEnding) -> ScenarioReply {
        var reply = ScenarioReply(ending: ending)
        reply.head.statusCode = fields["status"]?.integer(200...599, "a status code, 200 to 599") ?? 200
        for (name, value) in fields["headers"]?.namedMembers("header texts") ?? [] {
            reply.head.headers[name] = value.line(maximum: 8000)
        }
        reply.body = body(fields)
        let (size, rate) = (fields["bodyBytes"], fields["bytesPerSecond"])
        reply.head.bodyBytes = size?.integer(0...1_000_000_000_000, "a number of bytes, 0 to 10^12")
        reply.head.bytesPerSecond = rate?.integer(1...1_000_000_000, "a number of bytes, 1 to 10^9")
        return reply
    }

    private static func body(_ fields: ScenarioFields) -> ScenarioReply.Body {
        fields.requireOnlyOne(of: ScenarioKeys.bodies)
        if let json = fields["json"] { return .json(json.node.compactText(escaping: \.isInvisible)) }
        if let text = fields["text"]?.text() { return .text(text) }
        if let field = fields["base64"], let text = field.text() {
            if let data = Data(base64Encoded: text) { return .data(Array(data)) }
            field.expected("base 64")
        }
        if let field = fields["file"], let path = field.line() {
            if ScenarioReply.isInside(path) { return .file(path) }
            field.expected("a relative path inside the scenario file's folder")
        }
        return .none
    }
}

extension ScenarioReply {
    /// Whether a path stays inside its base folder, before links are resolved.
    static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.isEmpty && !path.hasPrefix("/") && !path.hasPrefix("~") && !path.contains("\0")
            && parts.allSatisfy { !$0.isEmpty && $0 != ".." }
    }
}
