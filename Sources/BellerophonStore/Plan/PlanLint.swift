import BellerophonBase
import Foundation
import StatusModel

/// Finds what is wrong with a plan before it is published.
package struct PlanLint {
    /// What a plan is compared with.
    package struct Context: Sendable {
        /// The present time.
        package var now: Date
        /// Whether the rules may cover every app.
        package var allowsEveryone = false
        /// Whether an exception may compare a fact that the app says of itself. An app that does not say it is exempt.
        package var allowsAbsence = false
        /// The facts that apps say of themselves, beside ``AppFacts/namesOfEveryClient``.
        package var knownFacts: Set<String> = []
        /// The ids of the rules that warnings are given about; nil for all. Errors are given about every rule.
        package var changed: Set<String>?
    }

    /// The most bytes of a document.
    package static let sizeLimit = 16 * 1024

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
        do {
            let status = try StatusDocument(json: document)
            var lint = PlanLint(status, try JSONReader.read(document, [.acceptsHugeNumbers, .acceptsRepeatedNames]), context)
            lint.findErrors(size: document.count)
            lint.findWarnings()
            return lint.errors + lint.warnings
        } catch {
            return [.init(level: .error, rule: nil, text: "The document is not a status: \(error).", hint: nil)]
        }
    }

    let document: StatusDocument
    /// How many rules the document has, also those that clients do not read.
    let ruleCount: Int
    let context: Context
    private var errors: [PlanFinding] = []
    private var warnings: [PlanFinding] = []

    private init(_ document: StatusDocument, _ node: JSONNode, _ context: Context) {
        (self.document, self.context) = (document, context)
        if case .array(let items)? = node.members?["rules"]?.value { ruleCount = items.count } else { ruleCount = 0 }
    }

    var now: Date { context.now }
    var rules: [Rule] { document.rules }

    mutating func addError(_ rule: String?, _ text: String, _ hint: String? = nil) {
        errors.append(PlanFinding(level: .error, rule: rule, text: text, hint: hint))
    }

    mutating func addWarning(_ rule: String?, _ text: String, _ hint: String? = nil) {
        if let rule, context.changed?.contains(rule) == false { return }
        warnings.append(PlanFinding(level: .warning, rule: rule, text: text, hint: hint))
    }

    /// Whether an app can meet all conditions and no exception; nil if there are too many combinations of facts to tell.
    func canMatch(_ only: [Condition], except: [Rule.Exemption] = []) -> Bool? {
        let matrix = RuleMatrix(StatusDocument([Rule(id: "a", effect: .pause, only: only, except: except)]))
        if matrix.rows.flatMap(\.lines).contains(where: { $0.cells[0].stage.isBlocked }) { return true }
        return matrix.omittedFacts.isEmpty && matrix.omittedVersions == 0 ? false : nil
    }
}

extension PlanLint.Context {
    package init(now: Date) { self.now = now }
}
