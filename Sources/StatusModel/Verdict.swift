public import Foundation
import SafeText

/// What a status means for one app at one time.
public struct Verdict: Equatable, Sendable {
    /// A part of the document that restricts the app.
    public struct Restriction: Equatable, Sendable {
        /// The stage that it requires: ``Stage/killed`` or ``Stage/updateRequired``.
        public let stage: Stage
        /// Its name in the document: `forceUpdate`, `apiInactive`, or the id of a rule.
        public let by: String
        /// The rule that restricts the app; nil for a flag of the original document.
        public let rule: Rule?
        /// What is shown.
        package let facts: StatusFacts
        let to: AppVersion?
        /// Why a flag applies to the app, in words; nil for a rule.
        let flagCause: String?
        let flagReasons: [Reason]
        /// The app, for the reasons of a rule: they are made when somebody asks for them.
        let app: AppFacts

        /// Why it applies to the app, in words: "forceUpdate is true", "1.4.0 is below 1.5.2".
        public var because: String { flagCause ?? reasons.cause }

        /// The conditions that hold for the app; empty for a restriction of every app.
        public var reasons: [Reason] {
            guard let rule else { return flagReasons }
            let client = Client(app)
            return rule.only.map { $0.reason(for: client) }
        }

        /// When it ends by itself; nil for never.
        public var until: Date? { rule?.until }
        /// Whether a rule restricts the app, and not a flag of the original document.
        public var isRule: Bool { rule != nil }

        /// The version to have, if it can be compared; nil for a pause of the original fields.
        package var requiredVersion: String? { to == nil ? nil : facts[.requiredVersion] }
    }

    /// A fact of the app that a condition compares.
    public struct Reason: Equatable, Sendable {
        /// The name of the fact: `version`, `osVersion`, `share`, `os` …
        public let fact: String
        /// Its value; nil if it is not known.
        public let value: String?
        /// What the condition asks for, in words: "below 1.5.2".
        public let rule: String
        /// Whether the condition holds.
        package let truth: Truth

        package init(fact: String, value: String?, rule: String, truth: Truth) {
            func safe(_ text: String, _ limit: Int) -> String {
                TextSanitizer.sanitize(text, keepingNewlines: false, limit: limit)
            }
            self.fact = safe(fact, 64)
            self.value = value.map { safe($0, 80) }
            self.rule = safe(rule, 200)
            self.truth = truth
        }

        /// The reason as a clause: "1.4.0 is below 1.5.2", "os is linux, not macos".
        package var text: String {
            let isVersion = ["version", "osVersion"].contains(fact)
            let subject = fact == "version" ? "" : "\(fact) "
            guard let value else { return "\(fact) is not known" }
            switch truth {
            case .unknown: return "\(subject)\(value) can't be compared"
            case .holds where isVersion || fact == "share": return "\(subject)\(value) is \(rule)"
            case .fails where isVersion || fact == "share": return "\(subject)\(value) is not \(rule)"
            case .holds: return "\(fact) is \(value)"
            case .fails: return "\(fact) is \(value), not \(rule)"
            }
        }
    }

    /// Something to tell the person while the app runs.
    public struct Notice: Equatable, Sendable {
        /// How far the rule is.
        public enum Phase: String, Sendable {
            /// The rule will hold from a time on.
            case announced
            /// The rule holds.
            case holding
        }

        /// The rule.
        public let rule: Rule
        /// How far the rule is.
        public let phase: Phase

        package init(rule: Rule, phase: Phase) {
            (self.rule, self.phase) = (rule, phase)
        }
    }

    /// What happens to a rule at a time.
    package struct Change: Equatable, Sendable {
        package enum Kind: String, Equatable, Sendable {
            case isAnnounced, begins, ends
        }

        /// The id of the rule.
        package let id: String
        package let kind: Kind

        /// `mw-1205 begins`.
        package var text: String {
            switch kind {
            case .isAnnounced: "\(id) is announced"
            case .begins, .ends: "\(id) \(kind.rawValue)"
            }
        }
    }

    /// Everything that restricts the app now. The first restriction takes precedence over all others.
    public private(set) var restrictions: [Restriction]
    /// The required updates that do not cover the app yet, because it allows to go on without them until a date.
    package private(set) var deferred: [Restriction] = []
    /// What the person is told, the most important first.
    public let notices: [Notice]
    /// The rules that are not understood and therefore restrict nothing.
    package let undecided: [StatusPlan.Undecided]
    /// When the meaning changes although the document stays the same; nil if it does not.
    public private(set) var next: Date?
    /// What changes at ``next``, in the order of the list. Empty if a deferral ends then.
    package private(set) var nextChanges: [Change]
    /// Why the app runs although a flag is true; nil if no flag is.
    let exemption: String?

    /// The stage that results.
    public var stage: Stage { restrictions.first?.stage ?? .active }

    /// The id of the rule that covers the app; nil if another part of the document or nothing does.
    package var coveringRule: String? { restrictions.first?.rule?.id }

    /// The reason for ``stage``, as a clause: "forceUpdate is true, which takes precedence over apiInactive".
    package var reason: String {
        if restrictions.isEmpty, let first = deferred.first {
            return "the update required by \(first.by) can't be had yet, and the app goes on without it"
        }
        guard let first = restrictions.first else { return exemption ?? "apiInactive and forceUpdate are false" }
        let effect = first.stage == .killed ? Rule.Effect.pause : .update
        let own = first.isRule ? "\(effect.rawValue) by \(first.by): \(first.because)" : first.because
        return own + (restrictions.dropFirst().first.map { ", which takes precedence over \($0.by)" } ?? "")
    }

    /// What a document that means this says at its stage: the values of the restriction, or else of the document.
    /// - Parameter message: chooses among a default message, which may be missing, and messages by language tag.
    package func facts(
        of document: StatusDocument, message: (_ fallback: String?, _ messages: [String: String]) -> String? = { text, _ in text }
    ) -> StatusFacts {
        var base = document.facts
        base[.message] = message(base[.message], document.plan?.messages ?? [:])
        guard let rule = restrictions.first?.rule else { return base }
        var facts = rule.facts
        facts[.message] = message(rule.message, rule.messages)
        for field in [StatusField.message, .link] where facts[field] == nil { facts[field] = base[field] }
        return facts
    }
}

extension Verdict {
    /// The strongest required update, also if it is deferred; nil if none is required.
    package var requiredUpdate: Restriction? {
        (restrictions.first { $0.stage == .updateRequired }) ?? deferred.first
    }

    /// The verdict for an app that allows to go on without a required update until a date. A pause still covers it.
    /// - Parameters:
    ///   - end: when the update covers the app nevertheless; nil for no such allowance.
    ///   - time: the time of the verdict. Without it nothing is deferred.
    package func deferringUpdates(until end: Date?, at time: Date?) -> Verdict {
        guard let end, let time, time < end, restrictions.contains(where: { $0.stage == .updateRequired }) else { return self }
        var verdict = self
        verdict.deferred = restrictions.filter { $0.stage == .updateRequired }
        verdict.restrictions.removeAll { $0.stage == .updateRequired }
        if next.map({ end < $0 }) ?? true { (verdict.next, verdict.nextChanges) = (end, []) }
        return verdict
    }
}

extension StatusDocument {
    /// What the document means for an app at a time. The only place that decides it. Pure: it asks no clock, no file and no network.
    ///
    /// Rules and flags only add restrictions, and the strictest wins: an update takes precedence over a pause.
    /// - Parameters:
    ///   - app: what is known of the app.
    ///   - time: the current time of the server, as far as the caller knows it; nil if it is not known. No rule has begun or
    ///     ended then because of the time.
    public func verdict(for app: AppFacts, at time: Date?) -> Verdict { verdict(for: Client(app), at: time) }

    func verdict(for client: Client, at time: Date?) -> Verdict {
        var evaluation = Evaluation(client: client, time: time ?? .always)
        let exemption = evaluation.addFlags(of: self)
        for rule in rulesInForce { evaluation.add(rule) }
        return Verdict(
            restrictions: evaluation.restrictions, notices: evaluation.sortedNotices, undecided: plan?.undecided ?? [],
            next: evaluation.next, nextChanges: evaluation.nextChanges, exemption: exemption)
    }

    /// The rules that are understood, with the rule of an earlier document in the place of one that is not.
    package var rulesInForce: [Rule] {
        guard let plan else { return [] }
        guard let held = plan.held?.rule else { return plan.entries.compactMap(\.rule) }
        if plan.problem != nil { return [held] }
        return plan.entries.compactMap { entry in
            switch entry {
            case .rule(let rule): rule
            case .undecided(let undecided): undecided.label == held.id ? held : nil
            }
        }
    }
}

extension [Verdict.Reason] {
    /// The reasons in words.
    package var clause: String { map(\.text).joined(separator: " and ") }
    /// The reasons why something applies to an app, in words.
    var cause: String { isEmpty ? "it applies to every app" : clause }
}
