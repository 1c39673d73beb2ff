import Bellerophon
import BellerophonBase
import Foundation

/// The level `texts`: what a person reads of a document, in the languages of the case.
extension ContractCase {
    func texts() throws -> JSONNode {
        let time = try time("now")
        guard case .array(let names)? = members["languages"]?.value, names.allSatisfy({ $0.string != nil }) else {
            throw Malformed()
        }
        let languages = LanguagePreference(names.compactMap(\.string))
        let document = try StatusDocument(json: Data(try text("document").utf8))
        let verdict = document.verdict(for: client, at: time)
        let facts = verdict.facts(of: document, message: languages.text).limited(to: verdict.stage)
        let notices = verdict.notices.map { notice -> JSONNode in
            .object([
                ("id", .text(notice.rule.id)),
                ("message", Self.optional(languages.text(notice.rule.message, or: notice.rule.messages))),
                ("link", Self.optional(notice.rule.link)),
            ])
        }
        return .object([
            ("valid", .bool(true)), ("by", Self.optional(verdict.restrictions.first?.by)),
            ("message", Self.optional(facts[.message])), ("link", Self.optional(facts[.link])),
            ("backAt", Self.optional(document.backAt.map(PlanTime.text))), ("notices", .array(notices)),
        ])
    }
}
