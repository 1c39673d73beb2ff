import Foundation
import SafeText

/// Whether a condition holds, in a logic of three values: false wins over unknown in a set of conditions.
package enum Truth: String, Sendable {
    case holds, fails
    /// A fact of the client is missing or can't be read.
    case unknown
}

/// A condition of a rule.
package enum Condition: Equatable, Sendable {
    /// The installed version is in one of the ranges.
    case version([VersionRange])
    /// The version of the operating system is in one of the ranges.
    case osVersion([VersionRange])
    /// A fact has one of the values.
    case fact(String, [String])
    /// The installation belongs to the share.
    case share(Share)
}

/// A part of all versions.
package enum VersionRange: Equatable, Sendable {
    /// From one version on, up to and without another one. One of them may be absent.
    case between(from: Named?, below: Named?)
    /// One version.
    case exactly(Named)

    /// A version with its text in the document.
    package struct Named: Equatable, Sendable {
        package let text: String
        package let version: AppVersion
    }

    package func contains(_ version: AppVersion) -> Bool {
        switch self {
        case .between(let from, let below):
            (from.map { $0.version <= version } ?? true) && (below.map { version < $0.version } ?? true)
        case .exactly(let named): named.version == version
        }
    }

    /// The range in words: `below 1.5.2`.
    package var text: String {
        switch self {
        case .between(nil, let below): "below \(below?.text ?? "")"
        case .between(let from?, nil): "\(from.text) or later"
        case .between(let from?, let below?): "from \(from.text) to below \(below.text)"
        case .exactly(let named): named.text
        }
    }
}

/// The facts of an app as conditions compare them.
struct Client {
    let facts: AppFacts
    let version: AppVersion?
    let osVersion: AppVersion?
    /// The numbers of the installation for shares, by the bytes of their draw. They replace those that are made of its id.
    let numbers: [[UInt8]: Int]?

    /// The number of the installation, 0 to 9,999, that decides whether a share contains it; nil without an id.
    func number(of share: Share) -> Int? {
        if let numbers { return numbers[Array(share.draw.utf8)] }
        return facts.installID.flatMap { Share.number(of: $0, draw: share.draw) }
    }
}

extension Client {
    init(_ facts: AppFacts) {
        self.init(
            facts: facts, version: facts.version.flatMap(AppVersion.init), osVersion: facts.osVersion.flatMap(AppVersion.init),
            numbers: nil)
    }
}

extension Condition {
    func truth(for client: Client) -> Truth {
        switch self {
        case .version(let ranges): Self.truth(ranges, client.version)
        case .osVersion(let ranges): Self.truth(ranges, client.osVersion)
        case .fact(let name, let values):
            client.facts.values[exactly: name].map { value in values.contains { $0.isExactly(value) } ? .holds : .fails }
                ?? .unknown
        case .share(let share): share.contains(client.number(of: share)).map { $0 ? .holds : .fails } ?? .unknown
        }
    }

    private static func truth(_ ranges: [VersionRange], _ version: AppVersion?) -> Truth {
        guard let version else { return .unknown }
        return ranges.contains { $0.contains(version) } ? .holds : .fails
    }

    /// Why the condition holds or does not hold.
    func reason(for client: Client) -> Verdict.Reason {
        let (fact, value, rule): (String, String?, String) =
            switch self {
            case .version(let ranges): ("version", client.facts.version, Self.text(ranges))
            case .osVersion(let ranges): ("osVersion", client.facts.osVersion, Self.text(ranges))
            case .fact(let name, let values): (name, client.facts.values[exactly: name], values.joined(separator: " or "))
            case .share(let share): ("share", client.number(of: share).map(Share.percent), "below \(share.text)")
            }
        return Verdict.Reason(fact: fact, value: value, rule: rule, truth: truth(for: client))
    }

    /// The condition in words: `version below 1.5.2`, `os linux or macos`.
    var text: String {
        switch self {
        case .version(let ranges): "version \(Self.text(ranges))"
        case .osVersion(let ranges): "osVersion \(Self.text(ranges))"
        case .fact(let name, let values):
            TextSanitizer.sanitize("\(name) \(values.joined(separator: " or "))", keepingNewlines: false, limit: 200)
        case .share(let share): "share below \(share.text)"
        }
    }

    private static func text(_ ranges: [VersionRange]) -> String { ranges.map(\.text).joined(separator: " or ") }
}

extension [Condition] {
    /// Whether all conditions hold. Conditions after one that fails are not looked at.
    func truth(for client: Client) -> Truth {
        var isUnknown = false
        for condition in self {
            switch condition.truth(for: client) {
            case .fails: return .fails
            case .unknown: isUnknown = true
            case .holds: continue
            }
        }
        return isUnknown ? .unknown : .holds
    }
}

extension String {
    /// Whether both texts are the same sequence of Unicode scalars. Swift's `==` also takes `é` for `e` with an accent.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension [String: String] {
    /// The value of exactly this name.
    fileprivate subscript(exactly name: String) -> String? {
        guard let index = index(forKey: name), self[index].key.isExactly(name) else { return nil }
        return self[index].value
    }
}
