import Bellerophon
import BellerophonBase
import Foundation

/// The words of the lines of a program without a screen, in one language.
///
/// The initialiser has no defaults, so a missing translation does not compile. A part in braces, such as `{name}`, stands for a value. What
/// only a developer needs, such as the conditions of a rule and a warning of this program, is in English in every language.
package struct PlainPhrases: Equatable, Sendable {
    /// The words of the views in the same language.
    let views: OverlayPhrases

    // The start and the end.
    let watching: String
    let simulated: String
    let signedOnly: String
    let plainHTTP: String
    let encrypted: String
    let loopback: String
    let unsigned: String
    let ended: String
    package let quit: String

    // The stage, and why it has changed.
    let stages: [Stage: String]
    let state: String
    let before: String
    let lastRun: String
    let bundled: String
    let noRecentStatus: String
    let policies: [UnknownPolicy: String]
    let ruleBegan: String
    let ruleEnded: String
    let ruleApplies: String
    let factsChanged: String
    let dismissed: String
    let still: String
    let unknownStatus: String
    let noView: String

    // What a status says.
    let message: String
    let messageGone: String
    let required: String
    let requiredOver: String
    let goBack: String
    let getUpdate: String
    let getIt: String
    let why: String
    let until: String
    let backAt: String
    let plan: String
    let noRules: String
    let nextChange: String
    let nothingChanges: String
    let changes: [Verdict.Change.Kind: String]
    let notice: String
    let noticeOver: String

    // Checks.
    package let checking: String
    let failed: String
    let nextCheck: String
    let recoveredOnce: String
    let recovered: String
    let streamOpen: String
    let streamClosed: String
    let warning: String
    let stale: String
    let clamped: String
    let leftOut: String

    // What can be typed.
    let caption: String
    let action: String
    let check: String
    let update: String
    let next: String
    let previous: String
    let say: String
    let help: String
    let end: String
    let nothingToDo: String
    package let lastStep: String
    let running: String
}

extension PlainPhrases {
    /// All languages, English first.
    package static let all = [english, german, french, spanish, portuguese, polish, japanese, chinese]

    /// The lines in the language of the views.
    package init(_ views: OverlayPhrases) { self = Self.all.first { $0.views == views } ?? .english }

    func stage(_ stage: Stage) -> String { stages[stage] ?? stage.title }

    /// How a status is authenticated.
    package func trust(_ security: TransportSecurity?, verifies: Bool) -> String {
        if verifies { return signedOnly }
        return switch security {
        case .plain: plainHTTP
        case .encrypted: encrypted
        case .loopback: loopback
        case nil: unsigned
        }
    }

    /// The state while no view covers a program.
    package func uncovered(_ name: String, _ stage: Stage) -> String {
        noView.with(["name": name, "state": stage == .active ? self.stage(stage) : unknownStatus])
    }

    /// `paused (rule mw-1 has begun), live before for 1 m 3 s`.
    func sentence(_ transition: Transition) -> String {
        let basis =
            switch transition.cause {
            case .status: ""
            case .restored: lastRun
            case .bundled: bundled
            case .policy(let policy): noRecentStatus.with(["effect": policies[policy] ?? ""])
            case .rule(let id):
                (transition.to.isBlocked ? transition.from.isBlocked ? ruleApplies : ruleBegan : ruleEnded).with(["id": id])
            case .facts: factsChanged
            case .dismissed: dismissed
            }
        let before = transition.lasted.map { self.before.with(["state": stage(transition.from), "time": $0.briefText]) } ?? ""
        return state.with(["state": stage(transition.to)]) + (basis.isEmpty ? "" : " (\(basis))") + before
    }

    /// A line for each value of a status.
    func sentences(_ facts: StatusFacts, installed: String?) -> [String] {
        let goesBack = facts.olderVersion(installed: installed) != nil
        return facts.all.map { fact in
            switch fact.field {
            case .message: message.with(["text": fact.value])
            case .link: (goesBack ? getIt : getUpdate).with(["link": fact.value])
            case .requiredVersion where goesBack: goBack.with(["version": fact.value, "installed": installed ?? ""])
            case .requiredVersion:
                (installed == nil ? required : requiredOver).with([
                    "version": views.update.orLater.with(["version": fact.value]), "installed": installed ?? "",
                ])
            }
        }
    }

    /// What a person can type, as a sentence.
    package func sentence(_ action: PlainAction) -> String {
        self.action.with(["letter": action.letter, "help": help(action)])
    }

    package func help(_ action: PlainAction) -> String {
        switch action {
        case .check: check
        case .update(let command): update.with(["command": command])
        case .next: next
        case .previous: previous
        case .status: say
        case .help: help
        case .quit: end
        }
    }

    /// When what changes next: `22:00, mw-1205 begins`; nil if nothing does.
    func next(_ plan: PlanReport, _ time: (Date) -> String) -> String? {
        plan.next.map { date in
            let what = plan.changes.map { (changes[$0.kind] ?? "").with(["id": $0.id]) }
            return nextChange.with(["time": ([time(date)] + what).joined(separator: ", ")])
        }
    }

    // What the program says of itself.
    package func stillText(_ stage: Stage) -> String { still.with(["state": self.stage(stage)]) }
    package func nothingToDoText(_ line: String) -> String { nothingToDo.with(["text": line]) }
    package func runningText(_ command: String) -> String { running.with(["command": command]) }
    package func updateEndedText(_ end: LocalizedText) -> String { views.terminal.update.with(["end": end.text(views)]) }
    package func leftOutText(_ count: Int) -> String { leftOut.with(["count": "\(count)"]) }
}
