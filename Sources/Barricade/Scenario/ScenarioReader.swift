import BellerophonBase
public import Foundation

extension ScenarioFile {
    /// Parses the text of a scenario file; `Sources/ReadyScenarios/scenarios.schema.json` defines the format.
    /// - Parameters:
    ///   - data: JSON in UTF-8.
    ///   - file: the file name for problem reports.
    /// - Throws: all problems, in the order of the lines. All references in an accepted file are valid.
    public init(json data: Data, file: String = "") throws(ScenarioFileError) {
        var problems = ScenarioErrors()
        var read: ScenarioFile?
        do {
            let root = ScenarioNode(node: try JSONReader.read(data, .scenario), path: "")
            read = ScenarioReader.file(root, &problems)
        } catch {
            problems.add(error.position, "", error.reason.isSyntax ? "not JSON: \(error.message)" : error.message)
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
    static func file(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> ScenarioFile? {
        guard let fields = node.fields(.file, &problems) else { return nil }
        var file = ScenarioFile()
        _ = fields["$schema"]?.text(&problems)
        file.title = fields["title"]?.line(&problems) ?? ""
        file.summary = fields["summary"]?.line(&problems) ?? ""
        guard let requests = fields.required("requests", &problems) else { return nil }
        let kinds = requests.namedMembers("requests", &problems) ?? []
        file.requests = kinds.compactMap { request($0.name, $0.node, &problems) }
        let isWhole = file.requests.count == kinds.count
        for (name, node) in fields["timelines"]?.namedMembers("timelines", &problems) ?? [] {
            guard let timeline = timeline(name, node, in: isWhole ? file.requests : nil, &problems) else { continue }
            file.timelines.append(timeline)
        }
        return file
    }

    // MARK: Requests

    static func request(_ name: String, _ node: ScenarioNode, _ problems: inout ScenarioErrors) -> ScenarioRequest? {
        guard let fields = node.fields(.request, &problems),
            let list = fields.required("responses", &problems),
            let members = list.namedMembers("responses", &problems)
        else { return nil }
        if case .object(let all) = list.node.value, all.isEmpty {
            problems.add(list.node.position, list.path, "expected at least one response")
        }
        let match = fields["match"].map { self.match($0, &problems) } ?? RequestMatch()
        let responses = members.compactMap { response($0.name, $0.node, &problems) }
        let defaultNode = fields["default"]
        let names = members.map(\.name)
        return ScenarioRequest(
            name, match: match, default: defaultNode.flatMap { known($0, "response", names, &problems) },
            responses: responses
        )
    }

    /// A reference to a named part of the file; an unknown name is a problem.
    static func known(
        _ node: ScenarioNode, _ kind: String, _ names: [String], _ problems: inout ScenarioErrors
    ) -> String? {
        guard let name = node.text(&problems) else { return nil }
        if names.contains(name) { return name }
        let list = names.isEmpty ? "none" : names.map { JSONText.quoted($0, escaping: \.isInvisible) }.joined(separator: ", ")
        problems.add(
            node.node.position, node.path,
            "no \(kind) is named \(JSONText.quoted(name, escaping: \.isInvisible)); there is \(list)")
        return nil
    }

    static func match(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> RequestMatch {
        guard let fields = node.fields(.match, &problems) else { return RequestMatch() }
        var match = RequestMatch()
        match.method = fields["method"]?.line(&problems)
        match.scheme = fields["scheme"]?.word(["http", "https"], &problems)
        match.host = fields["host"]?.line(&problems)
        if let host = fields["host"], match.host?.contains(where: { "/:".contains($0) }) == true {
            host.expected("a host without scheme, port or path", &problems)
        }
        match.path = fields["path"]?.line(&problems)
        if let path = fields["path"], match.path?.hasPrefix("/") == false {
            path.expected("a path that begins with \"/\"", &problems)
        }
        for (name, value) in fields["query"]?.namedMembers("query items", &problems) ?? [] {
            match.query[name] = value.text(&problems)
        }
        return match
    }

    // MARK: Timelines

    /// - Parameter requests: nil if one of them could not be read; names are then not checked.
    static func timeline(
        _ name: String, _ node: ScenarioNode, in requests: [ScenarioRequest]?, _ problems: inout ScenarioErrors
    ) -> Timeline? {
        guard let fields = node.fields(.timeline, &problems) else { return nil }
        let request = timelineRequest(fields, in: requests, &problems)
        let responses = requests?.first { $0.name == request }?.responses.map(\.name)
        var timeline = Timeline(name, request: request ?? "", steps: [])
        timeline.summary = fields["summary"]?.line(&problems) ?? ""
        timeline.repeats = fields["repeats"]?.flag(&problems) ?? false
        timeline.setting = setting(fields, &problems)
        if let steps = fields.required("steps", &problems) {
            if let items = steps.items, !items.isEmpty {
                timeline.steps = items.compactMap { step($0, responses, &problems) }
                if timeline.steps.count == items.count { checkOrder(of: timeline, steps, &problems) }
            } else {
                steps.expected("a list of at least one step", &problems)
            }
        }
        if let expect = fields["expect"] {
            if let items = expect.items {
                timeline.expectations = items.compactMap { expectation($0, &problems) }
            } else {
                expect.expected("a list of changes of stage", &problems)
            }
        }
        return timeline
    }

    /// The kind of request that a timeline is for: the named one, or the only one.
    private static func timelineRequest(
        _ fields: ScenarioFields, in requests: [ScenarioRequest]?, _ problems: inout ScenarioErrors
    ) -> String? {
        if let node = fields["request"] {
            guard let requests else { return node.text(&problems) }
            return known(node, "request", requests.map(\.name), &problems)
        }
        guard let requests else { return nil }
        if requests.count == 1 { return requests[0].name }
        _ = fields.required("request", &problems)
        return nil
    }

    private static func step(
        _ node: ScenarioNode, _ responses: [String]?, _ problems: inout ScenarioErrors
    ) -> Timeline.Step? {
        guard let fields = node.fields(.step, &problems),
            let field = fields.required("response", &problems)
        else { return nil }
        let name = responses.map { known(field, "response", $0, &problems) } ?? field.text(&problems)
        var step = Timeline.Step(name ?? "", note: fields["note"]?.line(&problems) ?? "")
        _ = fields.onlyOne(of: ["for", "times"], &problems)
        if let time = fields["for"]?.seconds(aboveZero: true, &problems) { step.length = .lasting(time) }
        if let count = fields["times"]?.integer(1...1_000_000, "a whole number, 1 to 1000000", &problems) {
            step.length = .times(count)
        }
        step.setting = setting(fields, &problems)
        return step
    }

    private static func expectation(_ node: ScenarioNode, _ problems: inout ScenarioErrors) -> Timeline.Expectation? {
        guard let fields = node.fields(.expectation, &problems) else { return nil }
        let from = fields.required("from", &problems)?.word(Timeline.Expectation.names, &problems)
        let written = fields.required("to", &problems)?.word(Timeline.Expectation.names, &problems)
        let within = fields["within"]?.seconds(aboveZero: true, &problems)
        let by = fields["by"]?.line(&problems, maximum: 64)
        guard let from = from.map(Timeline.Expectation.stage), let written else { return nil }
        let to = Timeline.Expectation.stage(named: written)
        if let node = fields["by"], !Timeline.Expectation.coveredStages.contains(to) {
            problems.add(node.node.position, node.path, "means nothing for \"to\": \"\(written)\": nothing covers the app then")
        }
        return Timeline.Expectation(from: from, to: to, within: within, by: by)
    }
}
