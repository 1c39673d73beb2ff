package import Bellerophon
public import Foundation

/// A status with rules of every kind, for everything that shows a plan.
public enum PlanSample {
    /// 2026-12-05 20:00:00 UTC. The window `mw-1205` is announced then.
    public static let now = date("2026-12-05T20:00:00Z")
    /// 22:30 of the same day, in the window.
    public static let inTheWindow = date("2026-12-05T22:30:00Z")

    public static func date(_ text: String) -> Date { PlanTime.date(text) ?? .distantPast }

    /// Version 1.4.0 is below the minimum, which `ci` exempts, a window is announced, and a rule has an unknown effect.
    public static let text = document(
        #"""
        {"id":"min-15","effect":"update","only":{"versions":[{"below":"1.5.2"}]},"except":[{"is":{"ci":["true"]}}],"to":"1.5.2",
         "message":"1.4 loses data."},
        {"id":"mw-1205","effect":"pause","announce":"2026-12-04T22:00:00Z","from":"2026-12-05T22:00:00Z",
         "until":"2026-12-05T23:30:00Z","message":"We are moving the disks."},
        {"id":"ro","effect":"notice","level":"warn","message":"Search is read-only."},
        {"id":"later","effect":"explode"}
        """#)

    /// A document with these rules that is otherwise live.
    /// - Parameter more: further members, each with a comma before it.
    public static func document(_ rules: String, more: String = "") -> String {
        #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"rules":[\#(rules)]\#(more)}"#
    }

    /// What the document means for an app: the plan, and the document.
    package static func plan(
        _ text: String, version: String? = "1.4.0", ci: String = "false", at date: Date? = now, usesWallClockOnly: Bool = false
    ) throws -> PlanReport? {
        let document = try StatusDocument(json: Data(text.utf8))
        let verdict = document.verdict(for: AppFacts(version: version, values: ["ci": ci]), at: date)
        return PlanReport(verdict, of: document, usesWallClockOnly: usesWallClockOnly)
    }
}
