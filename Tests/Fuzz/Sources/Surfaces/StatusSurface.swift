import Foundation

@testable import StatusModel

/// A body is either refused with a reason, or has the same meaning for other readers.
enum StatusSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        let document: StatusDocument
        do throws(StatusDocument.JSONError) {
            document = try StatusDocument(json: Data(input))
        } catch {
            return try TextSurface.requireSafe(error.description)
        }
        try requireSafe(document)
        try requireSameAgain(document)
        if document.remarks.isEmpty { try requireSameToFoundation(document, input) }
        try requireRefusedWithASecondStage(input)
    }

    private static func requireSafe(_ document: StatusDocument) throws(Violation) {
        for text in [document.message, document.requiredVersion, document.link].compactMap({ $0 }) + document.remarks {
            try TextSurface.requireSafe(text)
        }
        try require(document.message?.utf8.count ?? 0 <= StatusDocument.messageLimit, "the message is too long")
        try require(document.requiredVersion?.utf8.count ?? 0 <= 64, "the version is too long")
        try require(document.link.map { StatusDocument.webAddress($0) == $0 } ?? true, "the link is no web address")
        try require(!document.interval.isNaN, "the interval is no number")
        try requireSafePlan(document)
        guard document.plan == nil else { return }
        let stage: Stage = document.requiresUpdate ? .updateRequired : document.isInactive ? .killed : .active
        try require(document.verdict(for: AppFacts(), at: nil).stage == stage, "the stage is not the flags'")
    }

    /// Rules that are not understood restrict nothing, what is shown of rules is safe, and a kept document means the same again.
    private static func requireSafePlan(_ document: StatusDocument) throws(Violation) {
        guard let plan = document.plan else { return }
        try require(plan.entries.count <= Rule.limit, "too many rules count")
        for app in [
            AppFacts(), AppFacts(version: "1.4.0", osVersion: "6.1", installID: "0", values: ["os": "linux", "ci": "false"]),
        ] {
            for time in [nil, Date(timeIntervalSince1970: 1_796_472_000)] {
                let verdict = document.verdict(for: app, at: time)
                try TextSurface.requireSafe(verdict.reason)
                for outcome in document.outcomes(for: app, at: time) { try TextSurface.requireSafe(outcome.because) }
                try require(verdict.next.map { $0 > time ?? .distantPast } ?? true, "the next change is over")
                for restriction in verdict.restrictions where restriction.isRule {
                    try require(plan.rule(restriction.by) != nil, "a rule that is not understood restricts")
                }
                let again = try? StatusDocument(json: Data(plan.text.utf8))
                try require(again?.plan == plan, "a kept plan is another one")
            }
        }
    }

    /// A document can be written and read again.
    private static func requireSameAgain(_ document: StatusDocument) throws(Violation) {
        guard document.interval.isFinite, document.plan == nil else { return }
        var fields: [String: Any] = [
            "apiInactive": document.isInactive, "forceUpdate": document.requiresUpdate, "retryInterval": document.interval,
        ]
        fields["userMessage"] = document.message
        fields["requiredVersion"] = document.requiredVersion
        fields["updateURL"] = document.link
        guard let json = try? JSONSerialization.data(withJSONObject: fields), let again = try? StatusDocument(json: json) else {
            throw Violation("what was read can't be read again")
        }
        try require(again.remarks.isEmpty && again.interval == document.interval, "other fields")
        try require(again.verdict(for: AppFacts(), at: nil) == document.verdict(for: AppFacts(), at: nil), "another verdict")
        try require(again.message == document.message && again.link == document.link, "other texts")
        try require(again.requiredVersion == document.requiredVersion, "another version")
    }

    /// A more lenient reader finds the same decision.
    private static func requireSameToFoundation(_ document: StatusDocument, _ input: [UInt8]) throws(Violation) {
        guard document.interval.isFinite else { return }
        let body = Data(input.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.dropFirst(3)) : input)
        guard let other = try? JSONDecoder().decode(Flags.self, from: body) else {
            // Foundation refuses documents with a number that exceeds a Double.
            return try require(holdsHugeNumber(input), "another reader takes it for no status")
        }
        try require(
            other.apiInactive == document.isInactive && other.forceUpdate == document.requiresUpdate
                && other.retryInterval == document.interval, "another reader finds another status"
        )
    }

    private struct Flags: Decodable {
        var apiInactive: Bool
        var forceUpdate: Bool
        var retryInterval: Double
    }

    private static func holdsHugeNumber(_ input: [UInt8]) -> Bool {
        input.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } || input.count > 300
    }

    /// A duplicate flag at the front is always detected.
    private static func requireRefusedWithASecondStage(_ input: [UInt8]) throws(Violation) {
        guard let brace = input.firstIndex(of: UInt8(ascii: "{")) else { throw Violation("no object was read") }
        let twice = input[...brace] + Array(#""api\u0049nactive":false,"#.utf8) + input[(brace + 1)...]
        do throws(StatusDocument.JSONError) {
            _ = try StatusDocument(json: Data(twice))
        } catch {
            return try require(error == .repeated(field: "apiInactive"), "a second flag is refused for another reason: \(error)")
        }
        throw Violation("a second flag is passed over")
    }
}
