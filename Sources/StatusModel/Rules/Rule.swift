public import Foundation

/// A part of a status that restricts some apps for some time, or tells them something. It is immutable.
///
/// An object and not a value, because a verdict looks at up to 32 of them and copies none.
public final class Rule: Equatable, Sendable {
    /// What a rule does to an app that it matches.
    public enum Effect: String, CaseIterable, Sendable {
        /// Tells the person something.
        case notice
        /// Offers a newer version.
        case offer
        /// Stops the app, like `apiInactive`.
        case pause
        /// Requires another version, like `forceUpdate`.
        case update

        /// The stage of an app that the rule covers; nil if the rule only tells something.
        package var stage: Stage? {
            switch self {
            case .notice, .offer: nil
            case .pause: .killed
            case .update: .updateRequired
            }
        }
    }

    /// How urgent a notice is.
    public enum Level: String, CaseIterable, Sendable { case info, warn }

    /// A set of conditions that exempts.
    package enum Exemption: Equatable, Sendable {
        case conditions([Condition])
        /// The set is not understood, so it exempts every app; the text says why.
        case unreadable(String)
    }

    /// The name in the document, `[a-z0-9][a-z0-9._-]*`, at most 64 bytes. Each name occurs once.
    public let id: String
    /// What the rule does.
    public let effect: Effect
    /// What must hold for the rule to match; nothing for every app.
    package let only: [Condition]
    /// At most eight sets. One that holds exempts the app.
    package let except: [Exemption]
    /// The conditions of all exceptions that are understood.
    package var exemptingConditions: [Condition] {
        except.flatMap { if case .conditions(let conditions) = $0 { conditions } else { [] as [Condition] } }
    }
    /// From when on the rule is announced; nil for no announcement. Never later than ``from``, which is not nil then.
    public let announce: Date?
    /// From when on the rule holds; nil for always.
    public let from: Date?
    /// When the rule ends; nil for never.
    public let until: Date?
    /// How urgent the notice is; `info` for rules that are no notices.
    public let level: Level
    /// What is shown: the message, the version to have (`to`) and the link.
    package let facts: StatusFacts
    /// The message by language tag.
    package let messages: [String: String]
    let to: AppVersion?

    /// The message for the person; nil if there is none.
    public var message: String? { facts[.message] }
    /// The version to have; nil if the rule names none.
    public var version: String? { facts[.requiredVersion] }
    /// The address of the update; nil if the rule has none.
    public var link: String? { facts[.link] }

    package init(
        id: String, effect: Effect, only: [Condition] = [], except: [Exemption] = [], announce: Date? = nil, from: Date? = nil,
        until: Date? = nil, level: Level = .info, facts: StatusFacts = StatusFacts(), messages: [String: String] = [:]
    ) {
        (self.id, self.effect, self.only, self.except) = (id, effect, only, except)
        (self.announce, self.from, self.until, self.level) = (announce, from, until, level)
        self.facts = facts.cleaned
        self.messages = messages
        to = facts[.requiredVersion].flatMap(AppVersion.init)
    }

    /// The members that contract 1.0 knows, in the order in which servers publish them.
    package static let members = [
        "id", "effect", "only", "except", "to", "link", "level", "announce", "from", "until", "message", "messages", "optional",
    ]

    /// The most rules of a document that count.
    package static let limit = 32

    /// Whether both rules have the same content.
    public static func == (one: Rule, two: Rule) -> Bool {
        one === two
            || one.id == two.id && one.effect == two.effect && one.only == two.only && one.except == two.except
                && one.announce == two.announce && one.from == two.from && one.until == two.until && one.level == two.level
                && one.facts == two.facts && one.messages == two.messages
    }
}
