import BellerophonBase

/// The problems found so far.
final class ScenarioErrors {
    private(set) var list: [ScenarioError] = []

    func add(_ place: JSONPosition, _ path: String, _ sentence: String) {
        list.append(ScenarioError(place, path: path, sentence))
    }
}

/// A value of the document with its path.
struct ScenarioNode {
    let node: JSONNode
    let path: String
    let problems: ScenarioErrors

    /// The path of a member in readable notation: `responses["HTTP 500"].status`.
    static func path(_ path: String, _ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_$".unicodeScalars.contains($0))
            }
        if isPlain { return path.isEmpty ? name : "\(path).\(name)" }
        return "\(path)[\(JSONText.quoted(name, escaping: \.isInvisible))]"
    }

    /// Reports a problem with this value.
    func refuse(_ sentence: String) { problems.add(node.position, path, sentence) }

    /// Reports a problem with this value, of which nothing is read then.
    func refuse<Result>(_ sentence: String) -> Result? {
        problems.add(node.position, path, sentence)
        return nil
    }

    /// Reports that this value is another one than was expected.
    func expected(_ what: String) { refuse("expected \(what), found \(node.foundText)") }

    /// Reports that this value is another one than was expected, and nothing is read.
    func expected<Result>(_ what: String) -> Result? { refuse("expected \(what), found \(node.foundText)") }
}

extension JSONNode {
    /// The value if it is a short scalar, otherwise its type.
    fileprivate var foundText: String {
        switch value {
        case .number(_, let text) where text.count <= 24: text
        case .bool, .null: compactText()
        case .string(let text) where text.count <= 40: "the text \(JSONText.quoted(text, escaping: \.isInvisible))"
        default: typeName
        }
    }
}

extension ScenarioNode {
    // MARK: Scalars

    /// One line of text without control or invisible characters.
    func line(maximum: Int = 500) -> String? {
        guard let text = text() else { return nil }
        guard text.count <= maximum else { return refuse("expected at most \(maximum) characters, found \(text.count)") }
        guard !text.unicodeScalars.contains(where: \.isInvisible) else {
            return refuse("expected one line of text without control characters")
        }
        return text
    }

    /// Any text.
    func text() -> String? { node.string ?? expected("text") }

    func flag() -> Bool? {
        if case .bool(let flag) = node.value { return flag }
        return expected("true or false")
    }

    func integer(_ range: ClosedRange<Int>, _ what: String) -> Int? {
        if case .number(let number, _) = node.value, let whole = Int(exactly: number), range.contains(whole) {
            return whole
        }
        return expected(what)
    }

    /// Seconds, at most one year, rounded to microseconds.
    func seconds(aboveZero: Bool) -> Duration? {
        let least = aboveZero ? 0.000_001 : 0
        if case .number(let number, _) = node.value, number >= least, number <= 31_536_000 {
            return .microseconds(Int64((number * 1_000_000).rounded()))
        }
        return expected(aboveZero ? "a number of seconds above 0" : "a number of seconds, 0 or more")
    }

    /// One of the given words.
    func word(_ words: [String]) -> String? {
        if let text = node.string, words.contains(text) { return text }
        return expected("one of " + words.map { JSONText.quoted($0, escaping: \.isInvisible) }.joined(separator: ", "))
    }

    // MARK: Parts

    var items: [ScenarioNode]? {
        guard case .array(let items) = node.value else { return nil }
        return items.enumerated().map { ScenarioNode(node: $1, path: "\(path)[\($0)]", problems: problems) }
    }

    /// The members of an object with custom names. A name must be unique, printable and 1 to 80 characters long.
    func namedMembers(_ what: String) -> [(name: String, node: ScenarioNode)]? {
        guard case .object(let members) = node.value else { return expected("an object of \(what) by name") }
        var seen: Set<String> = []
        return members.compactMap { member in
            let path = Self.path(path, member.name)
            guard seen.insert(member.name).inserted else {
                problems.add(member.position, path, "the name stands twice")
                return nil
            }
            let isFit = (1...80).contains(member.name.count) && !member.name.unicodeScalars.contains(where: \.isInvisible)
            guard isFit else {
                problems.add(member.position, path, "expected a name of 1 to 80 characters without control characters")
                return nil
            }
            return (member.name, ScenarioNode(node: member.node, path: path, problems: problems))
        }
    }

    /// The members of an object with known keys; any other key is a problem.
    func fields(_ keys: ScenarioKeys) -> ScenarioFields? {
        guard case .object(let members) = node.value else { return expected("an object") }
        var fields: [String: ScenarioNode] = [:]
        for member in members {
            let path = Self.path(path, member.name)
            if !keys.known.contains(member.name) {
                problems.add(member.position, path, Self.unknown(member.name, keys))
            } else if fields[member.name] != nil {
                problems.add(member.position, path, "the key stands twice")
            } else {
                fields[member.name] = ScenarioNode(node: member.node, path: path, problems: problems)
            }
        }
        return ScenarioFields(node: self, fields: fields)
    }

    private static func unknown(_ name: String, _ keys: ScenarioKeys) -> String {
        let hint =
            EditDistance.nearest(to: name, among: keys.known).map { "did you mean \"\($0)\"?" }
            ?? "there are " + keys.known.joined(separator: ", ")
        return "unknown key; \(hint)"
    }
}

/// The known members of an object.
struct ScenarioFields {
    let node: ScenarioNode
    let fields: [String: ScenarioNode]

    subscript(key: String) -> ScenarioNode? { fields[key] }

    /// A member that must exist.
    func required(_ key: String) -> ScenarioNode? {
        fields[key] ?? node.refuse("\"\(key)\" is missing")
    }

    /// Reports the second of the members with those keys.
    func requireOnlyOne(of keys: [String]) {
        let present = keys.filter { fields[$0] != nil }
        guard present.count > 1 else { return }
        fields[present[1]]?.refuse("stands beside \"\(present[0])\"; there can be one of " + keys.joined(separator: ", "))
    }
}

extension JSONReader.Options {
    /// Accepts repeated names and huge numbers, which the scenario reader reports itself.
    static let scenario: JSONReader.Options = [.acceptsHugeNumbers, .acceptsRepeatedNames]
}
