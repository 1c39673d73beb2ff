import BellerophonBase
import Foundation

extension ScenarioReader {
    static func response(
        _ name: String, _ node: ScenarioNode, _ problems: inout ScenarioErrors
    ) -> ScenarioResponse? {
        guard let fields = node.fields(.response, &problems) else { return nil }
        return ScenarioResponse(
            name, summary: fields["summary"]?.line(&problems) ?? "",
            group: fields["group"]?.line(&problems, maximum: 80), answer: answer(fields, &problems),
            delay: fields["delay"]?.seconds(aboveZero: false, &problems) ?? .zero,
            jitter: fields["jitter"]?.seconds(aboveZero: false, &problems) ?? .zero,
            setting: setting(fields, &problems)
        )
    }

    private static func answer(
        _ fields: ScenarioFields, _ problems: inout ScenarioErrors
    ) -> ScenarioResponse.Answer {
        if let error = fields["error"] {
            refuseReply(beside: "error", fields, &problems)
            return .failure(code: code(error, &problems) ?? 0)
        }
        guard let fault = fields["fault"] else { return .reply(reply(fields, ending: .complete, &problems)) }
        let endings = ReplyEnding.allCases.filter { $0 != .complete }.map(\.rawValue)
        let word = fault.word([neverAnswer] + endings, &problems) ?? ""
        if word == neverAnswer {
            refuseReply(beside: "fault", fields, &problems)
            return .silence
        }
        return .reply(reply(fields, ending: ReplyEnding(rawValue: word) ?? .complete, &problems))
    }

    /// The value of `fault` for a request that gets no reply.
    static let neverAnswer = "neverAnswer"

    /// Reports keys that only apply to a reply.
    private static func refuseReply(beside key: String, _ fields: ScenarioFields, _ problems: inout ScenarioErrors) {
        let useless = ["status", "headers"] + ScenarioKeys.bodies + ["bodyBytes", "bytesPerSecond", "fault"]
        for name in useless where name != key {
            guard let field = fields[name] else { continue }
            problems.add(field.node.position, field.path, "means nothing beside \"\(key)\": there is no reply")
        }
    }

    private static func code(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> Int? {
        switch node.node.value {
        case .string(let text):
            if let name = FailureName(rawValue: text) { return name.code }
        case .number(let number, _):
            if let code = Int(exactly: number), (-9999 ... -1).contains(code) { return code }
        default: break
        }
        let names = FailureName.allCases.map(\.rawValue).joined(separator: ", ")
        node.expected("the code of a URLError, below 0, or one of \(names)", &problems)
        return nil
    }

    private static func reply(
        _ fields: ScenarioFields, ending: ReplyEnding, _ problems: inout ScenarioErrors
    ) -> ScenarioReply {
        var reply = ScenarioReply(ending: ending)
        reply.statusCode = fields["status"]?.integer(200...599, "a status code, 200 to 599", &problems) ?? 200
        for (name, value) in fields["headers"]?.namedMembers("header texts", &problems) ?? [] {
            reply.headers[name] = value.line(&problems, maximum: 8000)
        }
        reply.body = body(fields, &problems)
        let (size, rate) = (fields["bodyBytes"], fields["bytesPerSecond"])
        reply.bodyBytes = size?.integer(0...1_000_000_000_000, "a number of bytes, 0 to 10^12", &problems)
        reply.bytesPerSecond = rate?.integer(1...1_000_000_000, "a number of bytes, 1 to 10^9", &problems)
        return reply
    }

    private static func body(_ fields: ScenarioFields, _ problems: inout ScenarioErrors) -> ScenarioReply.Body {
        _ = fields.onlyOne(of: ScenarioKeys.bodies, &problems)
        if let json = fields["json"] { return .json(json.node.compactText(escaping: \.isInvisible)) }
        if let text = fields["text"]?.text(&problems) { return .text(text) }
        if let field = fields["base64"], let text = field.text(&problems) {
            if let data = Data(base64Encoded: text) { return .data(Array(data)) }
            field.expected("base 64", &problems)
        }
        if let field = fields["file"], let path = field.line(&problems) {
            if ScenarioReply.isInside(path) { return .file(path) }
            field.expected("a relative path inside the scenario file's folder", &problems)
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
