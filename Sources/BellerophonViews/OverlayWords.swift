package import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// The facts of an overlay as text.
package enum OverlayWords {
    /// Seconds as a server may request them: `15 s`, `0.5 s`, `∞ s`, `1e300 s`.
    package static func seconds(_ seconds: Double) -> String {
        if seconds.isNaN { return "no number" }
        if seconds.isInfinite { return seconds < 0 ? "−∞ s" : "∞ s" }
        if seconds == seconds.rounded(), abs(seconds) < 1e12 { return "\(Int(seconds)) s" }
        if abs(seconds) < 1e6 { return "\((seconds * 1000).rounded() / 1000) s" }
        return "\(seconds) s"
    }

    /// How often the status is checked and what determines it: `every 15 s, requested by the server`,
    /// `every 3600 s, the server requested 999999 s`.
    static func interval(_ check: NextCheck) -> String {
        let wait = seconds((check.interval.inSeconds * 10).rounded() / 10)
        let (text, asker) =
            switch check.origin {
            case .server: ("every \(wait), requested by the server", "the server")
            case .configuration: ("every \(wait), set by the configuration", "the configuration")
            case .backoff: ("after \(wait), longer with every failure", "backoff")
            case .retryAfter: ("after \(wait), requested by the server", "the server")
            case .safety: ("after \(wait), in addition to the stream", "safety")
            }
        return check.clamp.map { "every \(wait), \(asker) requested \(seconds($0.requested))" } ?? text
    }

    /// `! not confirmed for 9 d 4 h`; nil if the status is not stale.
    static func staleness(_ standing: OverlayContent.StatusStanding, _ phrases: OverlayPhrases) -> String? {
        guard standing.isStale, let age = standing.age else { return nil }
        return "! " + phrases.status.notConfirmed.with(["age": age.briefText])
    }

    /// What the stage is based on; nil if it is a status of this run.
    static func basis(_ standing: OverlayContent.StatusStanding, _ phrases: OverlayPhrases) -> String? {
        switch standing.basis {
        case .lastRun:
            guard let age = standing.age, age >= .seconds(1) else { return phrases.status.lastRun }
            return phrases.status.lastRunAge.with(["age": age.briefText])
        case .bundled: return phrases.status.bundled
        case .policy: return phrases.status.nothingKnown
        case .nothing, .status, .dismissal: return nil
        }
    }

    /// That this machine's clock is slow; nil if that does not matter.
    static func clock(_ standing: OverlayContent.StatusStanding, _ phrases: OverlayPhrases) -> String? {
        standing.clockLag.map { "! " + phrases.status.clockSlow.with(["time": $0.briefText]) }
    }

    /// The first of the texts that fits; otherwise the last one, cut.
    static func longest(_ texts: [String], columns: Int) -> String {
        texts.first { CellText.width(of: $0) <= columns } ?? CellText.truncate(texts.last ?? "", columns: columns)
    }

    /// The problem with the checks, the longest text first; empty without one.
    /// - Parameter still: the words for the state, which has not changed: `still paused`.
    static func problems(_ content: OverlayContent, still: String) -> [String] {
        let old = staleness(content.standing, content.phrases)
        guard content.failures > 0 || content.failure != nil else {
            return [old, clock(content.standing, content.phrases)].compactMap(\.self).prefix(1).map(\.self)
        }
        let failed = "! " + content.phrases.count(max(1, content.failures), content.phrases.status.failed)
        let cause = content.failure.map { " (\($0))" } ?? ""
        let age = old.map { "; \($0.dropFirst(2))" } ?? ""
        return [
            "\(failed)\(cause); \(still)\(age)", "\(failed); \(still)\(age)", "\(failed)\(age)", "\(failed); \(still)", failed,
        ]
    }

    /// How soon after its publication the state began here, if both clocks agree well enough: the time is neither below zero
    /// nor above a minute.
    static func arrival(_ content: OverlayContent) -> String? {
        guard let since = content.since, let published = content.lastAnswer?.metadata?.publishedAt else { return nil }
        let seconds = since.timeIntervalSince(published)
        guard (0...60).contains(seconds) else { return nil }
        return "on your screen \(Duration.milliseconds(Int64((seconds * 1000).rounded())).briefText) after it was published"
    }

    /// The state in a line, for a shell after the view is gone: `vim is paused (demo.local): Back at 14:30.`
    /// - Parameter wasEnded: whether the program has run, and was ended because of it.
    package static func summary(_ content: OverlayContent, name: String, wasEnded: Bool = false) -> String {
        if content.isStoppedLocally, let stop = content.localStop {
            return summary(stop, name: name, content.phrases)
        }
        return content.summary(name: name, wasEnded: wasEnded)
    }

    /// That the program was stopped on this machine, in a line: `vim was stopped on this machine by ada: wrong folder`.
    package static func summary(_ stop: LocalStop, name: String, _ phrases: OverlayPhrases) -> String {
        let line = phrases.lines.stopped.with(["name": name, "author": author(stop, phrases)])
        return "\(line)\(stop.reason.map { ": \($0)" } ?? "")"
    }

    /// Who has stopped the program on this machine: `ada`, `ada, from inside the program`.
    package static func author(_ stop: LocalStop, _ phrases: OverlayPhrases) -> String {
        stop.isFromInside ? phrases.status.fromInside.with(["author": stop.author]) : stop.author
    }

    /// That the program was also stopped on this machine, for the view of a status; the longest text first.
    static func alsoStopped(_ stop: LocalStop, _ phrases: OverlayPhrases) -> [String] {
        phrases.status.alsoStopped.map { $0.with(["whole": author(stop, phrases), "author": stop.author]) }
    }
}

extension OverlayContent {
    /// Whom the message is from: the host of the status, or who has stopped the program on this machine.
    var messageOrigin: String { isStoppedLocally ? localStop?.author ?? host : host }

    /// The text above the message: `message from demo.local`, `reason given by ada`.
    var messageLabel: String {
        isStoppedLocally
            ? phrases.status.reasonBy.with(["author": messageOrigin]) : phrases.status.messageFrom.with(["host": host])
    }

    /// The title of the open page; nil for the status page.
    var pageTitle: String? {
        switch presentation.page {
        case .status: nil
        case .details: phrases.keys.details.hint
        case .help: phrases.frame.keys
        }
    }

    /// The required version, and whether later ones do; nil if the status names none.
    var neededVersion: String? {
        olderVersion ?? facts[.requiredVersion].map { phrases.update.orLater.with(["version": $0]) }
    }

    /// Where an update can be had, and the command that installs it, with their labels, as far as they are known.
    var offers: [DetailsPage.Row] {
        let words = phrases.update
        return [
            link.map { (words.getIt, .init($0, Theme.link.linked(to: $0))) },
            app.updateCommand.map { (link == nil ? words.run : words.orRun, .init(UpdateWords.shown($0), Theme.strong)) },
        ].compactMap(\.self)
    }

    /// Whether an update is required because the installed version is not known or can't be compared.
    var isVersionUnknown: Bool { plan?.because.contains { $0.fact == "version" && $0.truth == .unknown } ?? false }

    /// The current wall-clock time; otherwise computed from the last reply and its age.
    var now: Date? {
        date ?? lastAnswer.map { $0.date.addingTimeInterval($0.age.inSeconds) }
    }

    /// A time of day in the content's own time zone, with its date if it is more than twelve hours from now.
    func timeText(_ date: Date) -> String {
        let clock = ClockText.time(date, in: timeZone)
        guard let now, abs(now.timeIntervalSince(date)) > 12 * 3600 else { return clock }
        return "\(PlanTime.text(date.addingTimeInterval(Double(timeZone.offset(at: date)))).prefix(10)) \(clock)"
    }
}
