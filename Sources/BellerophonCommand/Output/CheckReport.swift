import Bellerophon
import BellerophonBase
import BellerophonViews
import Foundation
import ProgramKit

/// The result of one check, as text, as JSON and as an exit code.
struct CheckReport {
    let stage: Stage
    /// The values of the optional fields.
    let facts: StatusFacts
    /// The wait of a client until the next check; nil if the stage is unknown.
    let interval: Duration?
    let clamp: IntervalClamp?
    /// The reason for the stage.
    let reason: String
    let metadata: ExchangeMetadata?
    let remarks: [String]
    /// What the rules of the status say; nil if it has none.
    let plan: PlanReport?

    /// - Parameters:
    ///   - app: what is known of the app that the status is for.
    ///   - languages: what the person reads, for the message. Without a language the default message applies.
    ///   - date: the wall clock at the end of the check.
    init(
        _ result: Result<StatusReply, StatusError>, policy: PollPolicy, app: AppFacts,
        languages: LanguagePreference = LanguagePreference([]),
        at date: Date
    ) {
        switch result.withEarly(for: app, at: date) {
        case .success(let reply):
            let document = reply.document
            let verdict = document.verdict(for: app, at: reply.planDate(at: date))
            let asked = verdict.stage == .active ? policy.activeInterval?.inSeconds : nil
            stage = verdict.stage
            facts = verdict.facts(of: document, message: languages.text)
            (interval, clamp) = policy.clamp(seconds: asked ?? document.interval)
            plan = PlanReport(verdict, of: document, usesWallClockOnly: reply.usesWallClockOnly)
            reason = plan?.reason ?? verdict.reason
            metadata = reply.metadata
            remarks = document.remarks + (reply.clockRemark.map { [$0] } ?? [])
        case .failure(let error):
            (stage, facts, interval, clamp, remarks) = (.unknown, StatusFacts(), nil, nil, [])
            (reason, plan) = (error.description, nil)
            metadata = error.metadata
        }
    }

    var exitCode: Int32 { stage.exitCode }

    var text: String {
        var lines = [("stage", stage.title)]
        lines += facts.all.map { ($0.field.label(in: .check), $0.value) }
        if let interval { lines.append(("interval", interval.briefText + clampText)) }
        lines.append(("reason", reason))
        if let plan { lines += planLines(plan) }
        if let answer { lines.append(("reply", answer)) }
        if let proof {
            lines.append(("signed", "by \(proof.keyID), serial \(proof.serial), until \(PlanTime.text(proof.expiresAt))"))
        } else if stage != .unknown {
            lines.append(("signed", "no; no key is configured (trust.keys), so any status counts"))
        }
        lines += remarks.map { ("remark", $0) }
        return StandardOutput.text(of: lines)
    }

    private func planLines(_ plan: PlanReport) -> [(String, String)] {
        var lines: [(String, String)] = []
        if let until = plan.until { lines.append(("until", PlanTime.text(until))) }
        if let backAt = plan.backAt { lines.append(("back at", PlanTime.text(backAt))) }
        lines += plan.notices.map { ("notice", $0.text(PlanTime.text)) }
        if let next = plan.nextText(PlanTime.text) { lines.append(("next", next)) }
        if plan.hasRules, plan.usesWallClockOnly {
            lines.append(("clock", "of this machine alone, because the reply has no Date; rules begin and end by it"))
        }
        return lines
    }

    private var proof: StatusProof? { metadata?.proof }

    private var clampText: String {
        clamp.map { " (clamped; \(OverlayWords.seconds($0.requested)) was requested)" } ?? ""
    }

    private var answer: String? {
        guard let metadata, let code = metadata.httpStatus else { return nil }
        return "HTTP \(code), \(metadata.bytes) bytes in \(metadata.latency.briefText)"
    }
}

// MARK: JSON

extension CheckReport {
    /// `message` and `interval` are always present, and null if unknown.
    var json: String {
        let signature = proof.map { proof in
            JSONNode.sorted([
                ("keyID", .printable(proof.keyID)), ("serial", .number(proof.serial)),
                ("issuedAt", .text(PlanTime.text(proof.issuedAt))), ("expiresAt", .text(PlanTime.text(proof.expiresAt))),
            ])
        }
        let own: JSONNode.Members = [
            ("stage", .text(stage.rawValue)), ("interval", interval.map { .number($0.inSeconds) } ?? .null),
            ("reason", .printable(reason)), ("httpStatus", metadata?.httpStatus.map { .number($0) }),
            ("latencyMilliseconds", metadata.map { .number(($0.latency.inSeconds * 1000).rounded()) }),
            ("signature", signature), ("remarks", remarks.isEmpty ? nil : .printable(remarks)),
        ]
        return JSONNode.sorted(own + facts.members + (plan.map { JSONNode.members(of: $0) } ?? [])).line
    }
}

extension StatusFacts {
    /// The values by name. The message is always present, and null if there is none.
    var members: JSONNode.Members {
        StatusField.allCases.map { field in
            (field.rawValue, self[field] == nil && field != .message ? nil : .printable(self[field]))
        }
    }
}

extension JSONNode {
    /// An object with its members in the order of their names.
    static func sorted(_ members: Members) -> JSONNode { .object(members.sorted { $0.0 < $1.0 }) }
}

extension Stage {
    /// How the commands that print a stage say it to a script.
    var exitCode: Int32 {
        switch self {
        case .active: 0
        case .killed: 10
        case .updateRequired: 11
        case .unknown: 12
        }
    }
}
