import BellerophonBase
import Foundation
import SafeText
import StatusModel

/// An operator's action on a status.
package enum StatusAction: String, Codable, Sendable, CaseIterable {
    /// Stops the program: `apiInactive`.
    case kill
    /// Requires a newer version: `forceUpdate`.
    case update
    /// Lets the program run.
    case restore
    /// Changes the rules, and leaves the rest of the status as it is.
    case rules

    /// The default interval between two checks, in seconds.
    package var usualRetryInterval: Double { self == .kill ? 15 : 60 }
}

/// A status to publish.
package struct Publication: Equatable, Sendable {
    package var scope: Scope
    package var action: StatusAction
    /// The values of the optional fields.
    package var facts: StatusFacts
    /// The message by language tag. Everybody else reads the message of ``facts``.
    package var messages: [String: String] = [:]
    /// In seconds.
    package var retryInterval: Double?
    /// The time after which the store ends a kill or an update by itself.
    package var endsAfter: Duration?
    /// When people are told that the service is back, in whole seconds; nil for the end of a kill.
    package var backAt: Date?
    /// The reason, for the journal only.
    package var reason: String?
    /// The change of rules of ``StatusAction/rules``; nil for the other actions, which leave the rules as they are.
    package var rules: RulesEdit?
    /// The ID of the row whose kill or update this one replaces; nil for none. It has to be named if it would stop more programs or
    /// longer: see ``weakened(in:until:)``.
    package var replaces: Int64?

    /// - Parameter facts: the values of any optional fields; nil for those that are named here.
    package init(
        scope: Scope = .main, action: StatusAction, facts: StatusFacts? = nil, message: String? = nil,
        retryInterval: Double? = nil, requiredVersion: String? = nil, updateURL: String? = nil, endsAfter: Duration? = nil,
        reason: String? = nil
    ) {
        self.scope = scope
        self.action = action
        self.facts = facts ?? StatusFacts([.message: message, .requiredVersion: requiredVersion, .link: updateURL])
        self.retryInterval = retryInterval
        self.endsAfter = endsAfter
        self.reason = reason
    }

    package init(scope: Scope, rules: RulesEdit, reason: String? = nil) {
        self.init(scope: scope, action: .rules, reason: reason)
        self.rules = rules
    }

    package static let retryIntervals = 1.0...86_400.0
    package static let durations = Duration.seconds(1)...Duration.seconds(366 * 86_400)

    /// Refuses values that a client would truncate, clamp or ignore.
    package func validate() throws(StoreError) {
        guard replaces == nil || action == .kill || action == .update else {
            throw .invalid(
                "only a kill or an update replaces another one, and not a \(action.rawValue)",
                hint: action == .restore ? "leave it out: a restore ends both" : "leave it out: rules leave both as they are")
        }
        if action == .rules { return try checkRules() }
        guard rules == nil else { throw .invalid("rules belong to the action \"rules\", not to a \(action.rawValue)") }
        try checkTexts()
        try checkTimes()
        guard action == .update || (facts[.requiredVersion] == nil && facts[.link] == nil) else {
            throw .invalid("requiredVersion and updateURL belong to an update, not to a \(action.rawValue)")
        }
        guard action != .update || StoreText.singleLine(facts[.requiredVersion]) != nil || facts[.link] != nil else {
            throw .invalid(
                "an update needs requiredVersion or updateURL: without them nobody can do what it demands",
                hint: "--required-version 1.5.2, --url https://example.com/get, or both"
            )
        }
        if let version = facts[.requiredVersion], StoreText.nonBlank(version) != nil, AppVersion(version) == nil {
            throw .invalid(
                "requiredVersion is \(JSONText.quoted(version)), which clients can't compare with theirs",
                hint: "a version such as 1.5.2, without spaces")
        }
        for fact in facts.all where fact.field.form == .webAddress && StatusDocument.webAddress(fact.value) == nil {
            throw .invalid(
                "\(fact.field.publishedName) is not an http or https address",
                hint: "such as https://example.com/get, without a user name"
            )
        }
    }

    private func checkRules() throws(StoreError) {
        guard let rules else {
            throw .invalid("the rules are missing", hint: "such as \"rules\": {\"put\": [{…}], \"remove\": [\"id\"]}")
        }
        guard facts.all.isEmpty, messages.isEmpty, retryInterval == nil, endsAfter == nil, backAt == nil else {
            throw .invalid(
                "a change of rules has no message, version, interval or end of its own",
                hint: "they belong to the rules themselves")
        }
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        try rules.validate()
    }

    private func checkTexts() throws(StoreError) {
        for fact in facts.all {
            let name = fact.field.publishedName
            switch fact.field.form {
            case .paragraphs(let limit):
                try StoreText.validate(StoreText.nonBlank(fact.value), name, limit: limit, lines: TextSanitizer.lineLimit)
            case .line(let limit): try StoreText.validate(fact.value, name, limit: limit)
            case .webAddress: break
            }
        }
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        try checkMessages()
    }

    private func checkMessages() throws(StoreError) {
        guard !messages.isEmpty else { return }
        try Translations.validate(messages, "messages")
        guard StoreText.message(facts[.message]) != nil else {
            throw .invalid(
                "messages has no default: people with other languages, and older clients, would see no message",
                hint: "give --message too, or \"message\"")
        }
        let size = baseDocument().utf8.count
        guard size <= PlanLint.sizeLimit else {
            throw .invalid(
                "the message and its translations make a document of \(size) bytes; at most \(PlanLint.sizeLimit) are possible",
                hint: "shorten them, or leave languages out")
        }
    }

    private func checkTimes() throws(StoreError) {
        if let retryInterval, !Self.retryIntervals.contains(retryInterval) {
            throw .invalid("retryInterval must be 1 to 86400 seconds, found \(JSONNode.number(retryInterval).compactText())")
        }
        guard backAt == nil || action == .kill else { throw .invalid("backAt belongs to a kill, not to a \(action.rawValue)") }
        guard let endsAfter else { return }
        guard action != .restore else { throw .invalid("a restore has no end", hint: "leave endsAfter out") }
        guard Self.durations.contains(endsAfter) else {
            throw .invalid("endsAfter must be 1 second to 366 days, found \(endsAfter.components.seconds) s")
        }
    }

    /// - Throws: ``StoreError`` of kind `invalid` if people would be told that the service is back since a time that is over.
    func checkBackAt(_ now: Date) throws(StoreError) {
        guard let backAt, backAt <= now else { return }
        throw .invalid(
            "backAt, \(PlanTime.text(backAt)), is over", hint: "name a later time, or leave it out; nothing was published")
    }
}

extension Duration {
    /// Whole milliseconds, rounded toward zero. It does not overflow for ``Publication/durations``.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
