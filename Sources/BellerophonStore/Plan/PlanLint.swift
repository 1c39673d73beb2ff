import BellerophonBase
import Foundation
import StatusModel

/// Finds what is wrong with a plan before it is published.
package enum PlanLint {
    /// What a plan is compared with.
    package struct Context: Sendable {
        /// The present time.
        package var now: Date
        /// Whether the rules may cover every app.
        package var allowsEveryone: Bool
        /// Whether an exception may compare a fact that the app says of itself. An app that does not say it is exempt.
        package var allowsAbsence: Bool
        /// The facts that apps say of themselves, beside ``AppFacts/namesOfEveryClient``.
        package var knownFacts: Set<String>
        /// The ids of the rules that warnings are given about; nil for all. Errors are given about every rule.
        package var changed: Set<String>?
        /// The fleet that shows how many apps an exception exempts because they do not say a fact; nil if none is known.
        package var fleet: Fleet?

        package init(
            now: Date, allowsEveryone: Bool = false, allowsAbsence: Bool = false, knownFacts: Set<String> = [],
            changed: Set<String>? = nil, fleet: Fleet? = nil
        ) {
            (self.now, self.allowsEveryone, self.allowsAbsence) = (now, allowsEveryone, allowsAbsence)
            (self.knownFacts, self.changed, self.fleet) = (knownFacts, changed, fleet)
        }
    }

    /// The most bytes of a document.
    package static let sizeLimit = 16 * 1024
    /// From this size on the document makes so much traffic that its author is told.
    package static let sizeWarning = 4 * 1024

    /// The languages of texts by tag, without regions: `pt` of `pt-BR`.
    package static func languages(of messages: [String: String]) -> Set<String> { Set(messages.keys.map(language)) }

    /// The languages of all messages of a document beside the default ones.
    package static func languages(_ document: StatusDocument) -> Set<String> {
        document.rules.reduce(into: languages(of: document.plan?.messages ?? [:])) { $0.formUnion(languages(of: $1.messages)) }
    }

    /// The language of a tag, without its region.
    static func language(of tag: String) -> String { String(tag.prefix { $0 != "-" }).lowercased() }

    /// Finds what is wrong: errors first, each in the order of the rules.
    /// - Parameter document: the status document with all rules, as it would be served.
    package static func findings(_ document: Data, context: Context) -> [PlanFinding] {
        let status: StatusDocument
        let node: JSONNode
        do {
            status = try StatusDocument(json: document)
            node = try JSONReader.read(document, [.acceptsHugeNumbers, .acceptsRepeatedNames])
        } catch {
            return [.init(.error, rule: nil, "The document is not a status: \(error).")]
        }
        let plan = PlanUnderLint(status, node, size: document.count, context)
        let warnings = plan.warnings.filter { finding in
            guard let changed = context.changed, let rule = finding.rule else { return true }
            return changed.contains(rule)
        }
        return plan.errors + warnings
    }
}

/// A plan that is looked at.
struct PlanUnderLint {
    let document: StatusDocument
    /// The rules as they are in the document, by their place.
    let nodes: [JSONNode]
    let size: Int
    let context: PlanLint.Context

    init(_ document: StatusDocument, _ node: JSONNode, size: Int, _ context: PlanLint.Context) {
        (self.document, self.size, self.context) = (document, size, context)
        if case .array(let items)? = node.members?["rules"]?.value { nodes = items } else { nodes = [] }
    }

    var now: Date { context.now }
    var rules: [Rule] { document.rules }

    /// Whether a rule can match an app at some time from now on; nil if there are too many combinations of facts to tell.
    func canMatch(_ rule: Rule, withoutExceptions: Bool = false) -> Bool? {
        let rule = Rule(
            id: rule.id, effect: .pause, only: rule.only, except: withoutExceptions ? [] : rule.except, from: rule.from,
            until: rule.until)
        let matrix = RuleMatrix(StatusDocument([rule]))
        for (index, span) in matrix.times.enumerated() where span.reaches(beyond: now) {
            if matrix.rows.flatMap(\.lines).contains(where: { $0.cells[index].stage.isBlocked }) { return true }
        }
        return matrix.omittedFacts.isEmpty && matrix.omittedVersions == 0 ? false : nil
    }
}
