import Bellerophon
import BellerophonStore
import BellerophonViews
import Foundation
import StatusModel

/// What a person is shown of a change of rules: what is wrong with it, what changes in words and as tables, and the view.
package struct PlanReview: Encodable, Sendable {
    package let findings: [PlanFinding]
    /// A sentence for each change.
    package let difference: [String]
    /// What holds for which version at which time, as it is and as it would be.
    package let former: String
    package let newer: String
    /// The view that the rule shows that is changed first; nil if none covers.
    package let picture: String?

    /// - Parameters:
    ///   - former: the document that clients get; nil for none.
    ///   - newer: the document that they would get.
    ///   - fleet: the apps that are counted; nil for no numbers.
    package init?(_ publication: Publication, former: String?, newer: String, at date: Date, fleet: Fleet?) async {
        let initial = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}"#
        guard let after = try? StatusDocument(json: Data(newer.utf8)),
            let before = try? StatusDocument(json: Data((former ?? initial).utf8))
        else { return nil }
        var context = publication.lintContext(at: date)
        context.knownFacts = Set(fleet?.columns ?? [])
        findings = PlanLint.findings(Data(newer.utf8), context: context)
        difference = PlanComparison(former: before, newer: after, now: date, fleet: fleet).sentences
        (self.former, self.newer) = (MatrixText(RuleMatrix(before)).text, MatrixText(RuleMatrix(after)).text)
        let changed = context.changed ?? []
        let shown = after.rules.first { changed.contains($0.id) && $0.effect.stage != nil }
        picture = await Self.picture(of: shown, publication.scope.app)
    }

    /// All of it for a terminal.
    package var text: String {
        let parts = [
            findings.map(\.line).joined(separator: "\n"), difference.joined(separator: "\n"), "Now:", former, "Then:", newer,
        ]
        return (parts + (picture.map { ["What people see:", $0] } ?? [])).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The view of a rule on a terminal of 80 columns and 24 rows; nil if it shows none.
    @MainActor private static func picture(of rule: Rule?, _ app: String) -> String? {
        guard let rule, let stage = rule.effect.stage else { return nil }
        var frame = Frame(Size(columns: 80, rows: 24))
        let content = OverlayContent(
            stage: stage, app: AppInfo(name: app, version: nil), source: "\(app) status", host: "the server",
            message: rule.message, requiredVersion: rule.version, link: rule.link, timeZone: .gmt)
        let view: any OverlayView = stage == .updateRequired ? ForceUpdateView() : KillSwitchView()
        view.draw(content, in: &frame)
        return frame.text
    }
}

/// The rules of a scope as they are now.
struct PlanOverview: Encodable, Sendable {
    private let app: String
    private let channel: String
    private let document: String
    /// The ids of the scope's own rules; the others are its app's.
    private let ids: [String]
    /// The rules as they were published, each as a JSON text.
    private let rules: [String]
    private let matrix: String

    init(_ status: PublishedStatus) {
        (app, channel, rules) = (status.scope.app, status.scope.channel, status.newest?.plan?.rules ?? [])
        document = String(decoding: status.body, as: UTF8.self)
        ids = rules.compactMap { RowPlan.id(of: $0) }
        matrix = (try? StatusDocument(json: status.body)).map { MatrixText(RuleMatrix($0)).text } ?? ""
    }
}
