import BellerophonBase
public import Foundation

extension ScenarioFile {
    /// Parses the text of a scenario file; `Sources/ReadyScenarios/scenarios.schema.json` defines the format.
    /// - Parameters:
    ///   - data: JSON in UTF-8.
    ///   - file: the file name for problem reports.
    /// - Throws: all problems, in the order of the lines. All references in an accepted file are valid.
    public init(json data: Data, file: String = "") throws(ScenarioFileError) {
        let problems = ScenarioErrors()
        var read: ScenarioFile?
        do {
            read = ScenarioReader.file(ScenarioNode(node: try JSONReader.read(data, .scenario), path: "", problems: problems))
        } catch {
            let isSyntax = if case .unexpected = error.reason { true } else { false }
            problems.add(error.position, "", isSyntax ? "not JSON: \(error.message)" : error.message)
        }
        guard problems.list.isEmpty, let read else {
            let named = problems.list.map { problem in
                var problem = problem
                problem.file = file
                return problem
            }
            throw ScenarioFileError(problems: named.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
        }
        self = read
    }
}

/// Converts the parts of a scenario file to values. An invalid part is reported and skipped, so that all problems are found.
enum ScenarioReader {
    static func file(_ node: ScenarioNode) -> ScenarioFile? {
        guard let fields = node.fields(.file) else { return nil }
        var file = ScenarioFile()
        _ = fields["$schema"]?.text()
        file.title = fields["title"]?.line() ?? ""
        file.summary = fields["summary"]?.line() ?? ""
        guard let requests = fields.required("requests") else { return nil }
        let kinds = requests.namedMembers("requests") ?? []
        file.requests = kinds.compactMap { request($0.name, $0.node) }
        let isWhole = file.requests.count == kinds.count
        for (name, node) in fields["timelines"]?.namedMembers("timelines") ?? [] {
            guard let timeline = timeline(name, node, in: isWhole ? file.requests : nil) else { continue }
            file.timelines.append(timeline)
        }
        return file
    }

    // MARK: Requests

    static func request(_ name: String, _ node: ScenarioNode) -> ScenarioRequest? {
        guard let fields = node.fields(.request), let list = fields.required("responses"),
            let members = list.namedMembers("responses")
        else { return nil }
        if case .object(let all) = list.node.value, all.isEmpty {
            list.refuse("expected at least one response")
        }
        let rule = fields["match"].map(match) ?? RequestMatch()
        let responses = members.compactMap { response($0.name, $0.node) }
        let names = members.map(\.name)
        return ScenarioRequest(
            name, match: rule, default: fields["default"].flatMap { known($0, "response", names) }, responses: responses
        )
    }

    /// A reference to a named part of the file; an unknown name is a problem.
    static func known(_ node: ScenarioNode, _ kind: String, _ names: [String]) -> String? {
        guard let name = node.text() else { return nil }
        if names.contains(name) { return name }
        let list = names.isEmpty ? "none" : names.map { JSONText.quoted($0, escaping: \.isInvisible) }.joined(separator: ", ")
        return node.refuse(
            "no \(kind) is named \(JSONText.quoted(name, escaping: \.isInvisible)); there is \(list)")
    }

    static func match(_ node: ScenarioNode) -> RequestMatch {
        guard let fields = node.fields(.match) else { return RequestMatch() }
        var match = RequestMatch()
        match.method = fields["method"]?.line()
        match.scheme = fields["scheme"]?.word(["http", "https"])
        match.host = fields["host"]?.line()
        if let host = fields["host"], match.host?.contains(where: { "/:".contains($0) }) == true {
            host.expected("a host without scheme, port or path")
        }
        match.path = fields["path"]?.line()
        if let path = fields["path"], match.path?.hasPrefix("/") == false {
            path.expected("a path that begins with \"/\"")
        }
        for (name, value) in fields["query"]?.namedMembers("query items") ?? [] {
            match.query[name] = value.text()
        }
        return match
    }

    // MARK: Timelines

    /// - Parameter requests: nil if one of them could not be read; names are then not checked.
    static func timeline(_ name: String, _ node: ScenarioNode, in requests: [ScenarioRequest]?) -> Timeline? {
        guard let fields = node.fields(.timeline) else { return nil }
        let request = timelineRequest(fields, in: requests)
        let responses = requests?.first { $0.name == request }?.responses.map(\.name)
        var timeline = Timeline(name, request: request ?? "", steps: [])
        timeline.summary = fields["summary"]?.line() ?? ""
        timeline.repeats = fields["repeats"]?.flag() ?? false
        timeline.setting = setting(fields)
        if let steps = fields.required("steps") {
            if let items = steps.items, !items.isEmpty {
                timeline.steps = items.compactMap { step($0, responses) }
                if timeline.steps.count == items.count { verifyOrder(of: timeline, steps) }
            } else {
                steps.expected("a list of at least one step")
            }
        }
        if let expect = fields["expect"] {
            if let items = expect.items {
                timeline.expectations = items.compactMap(expectation)
            } else {
                expect.expected("a list of changes of stage")
            }
        }
        return timeline
    }

    /// The kind of request that a timeline is for: the named one, or the only one.
    private static func timelineRequest(_ fields: ScenarioFields, in requests: [ScenarioRequest]?) -> String? {
        if let node = fields["request"] {
            guard let requests else { return node.text() }
            return known(node, "request", requests.map(\.name))
        }
        guard let requests else { return nil }
        if requests.count == 1 { return requests[0].name }
        _ = fields.required("request")
        return nil
    }

    private static func step(_ node: ScenarioNode, _ responses: [String]?) -> Timeline.Step? {
        guard let fields = node.fields(.step), let field = fields.required("response") else { return nil }
        let name = responses.map { known(field, "response", $0) } ?? field.text()
        var step = Timeline.Step(name ?? "", note: fields["note"]?.line() ?? "")
        fields.requireOnlyOne(of: ["for", "times"])
        if let time = fields["for"]?.seconds(aboveZero: true) { step.length = .lasting(time) }
        if let count = fields["times"]?.integer(1...1_000_000, "a whole number, 1 to 1000000") {
            step.length = .times(count)
        }
        step.setting = setting(fields)
        return step
    }

    private static func expectation(_ node: ScenarioNode) -> Timeline.Expectation? {
        guard let fields = node.fields(.expectation) else { return nil }
        let from = fields.required("from")?.word(Timeline.Expectation.names)
        let written = fields.required("to")?.word(Timeline.Expectation.names)
        let within = fields["within"]?.seconds(aboveZero: true)
        let by = fields["by"]?.line(maximum: 64)
        guard let from = from.map(Timeline.Expectation.stage), let written else { return nil }
        let to = Timeline.Expectation.stage(named: written)
        if let node = fields["by"], !Timeline.Expectation.coveredStages.contains(to) {
            node.refuse("means nothing for \"to\": \"\(written)\": nothing covers the app then")
        }
        return Timeline.Expectation(from: from, to: to, within: within, by: by)
    }
}
