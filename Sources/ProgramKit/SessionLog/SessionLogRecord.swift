import Bellerophon
import Foundation

/// One line of the journal: a change, and what the user saw before and for how long.
package struct SessionLogRecord: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// The program started.
        case start(Session)
        /// The stage changed.
        case transition(Transition)
        /// The message changed while the stage did not.
        case message
        /// One of several services was opened or closed, and its view with it.
        case view
        /// The program ended; the text names the cause: `quit`, `SIGTERM`.
        case end(String)
        /// The journal was exported; the session continues.
        case export
        /// Somebody on this machine has stopped the guarded program.
        case localStop(LocalStop)
        /// The stop on this machine was released, by this user.
        case localRelease(String)
        /// Everything that the guarded program has started was stopped.
        case held(Held)
        /// These processes of a guarded program had to be killed, as `NAME (PID)`.
        case killed([String])
    }

    /// What a pause of a guarded program holds.
    package struct Held: Equatable, Sendable {
        package var processes: Int
        /// What holds them: `controlGroup`, `processes` or `processGroup`.
        package var means: String
        /// The processes that are not held, as `NAME (PID)`.
        package var notHeld: [String]

        package init(processes: Int, means: String, notHeld: [String]) {
            (self.processes, self.means, self.notHeld) = (processes, means, notHeld)
        }
    }

    /// The app and the status source of a session.
    package struct Session: Equatable, Sendable {
        package var app: AppInfo
        /// The name of the status source, for people.
        package var source: String
        /// Whether a barricade replaces the server.
        package var isSimulated: Bool
        /// The service's name; nil if the program watches only one.
        package var service: String?

        package init(app: AppInfo, source: String, isSimulated: Bool, service: String? = nil) {
            self.app = app
            self.source = source
            self.isSimulated = isSimulated
            self.service = service
        }
    }

    /// What the screen shows to the user.
    package struct Sight: Equatable, Sendable {
        package enum View: String, Equatable, Sendable {
            case dashboard
            case killView = "kill view"
            case updateView = "update view"
            case stopView = "stop view"
        }

        package var view: View
        /// The server's message on the view, sanitised.
        package var message: String?
    }

    /// The service's name; nil if the program watches only one.
    package var service: String?
    /// The wall-clock time.
    package var date: Date
    package var event: Event
    /// The stage before the record; nil at the start.
    package var stage: Stage?
    /// How long that stage had lasted, by a monotonic clock; for the first stage, since the start.
    package var lasted: Duration?
    /// What the user saw before the record; nil at the start, and for a stage that was never painted.
    package var saw: Sight?
    /// How long ``saw`` was shown; shorter than ``lasted`` if the message changed meanwhile.
    package var sawFor: Duration?
    /// What the user sees after the record; nil at the end, for an export, and for a stage that was never painted.
    package var sees: Sight?
    package var arrival = Arrival()
    /// Why the new stage applies; nil if a flag of the document alone says so.
    package var why: Why?

    /// What restricts the app.
    package struct Why: Equatable, Sendable {
        package let by: String?
        package let because: [Verdict.Reason]

        /// - Returns: nil if nothing that asks for facts of the app restricts it.
        package init?(_ plan: PlanReport?) {
            guard let plan, plan.by != nil, plan.hasRules || !plan.because.isEmpty else { return nil }
            (by, because) = (plan.by, plan.because)
        }
    }

    /// How a change arrived, and how soon it was painted.
    package struct Arrival: Equatable, Sendable {
        /// Polled or pushed; nil if no status caused the change.
        package var transport: Transport?
        /// From the reply's last byte until the paint; nil without a reply, or if the change was never painted.
        package var paintLatency: Duration?
        /// From the server's publication until the paint; nil if it is unknown or the clocks differ.
        package var publishLatency: Duration?
    }
}

extension SessionLogRecord {
    /// The record as one JSON object, without a line terminator.
    ///
    /// ```json
    /// {"time":"2026-01-31T14:02:11.250Z","event":"transition","from":"active","to":"killed","cause":"status",
    ///  "httpStatus":200,"transport":"poll","lastedSeconds":63.2,"saw":{"view":"dashboard","seconds":63.2},
    ///  "sees":{"view":"kill view","message":"Back at noon."},"paintMilliseconds":1.4}
    /// ```
    package var json: String {
        var line = JSONLine()
        line.add("time", Self.time(date))
        line.add("event", eventName)
        if let service { line.add("service", service) }
        addEvent(to: &line)
        if let lasted { line.add("lastedSeconds", lasted, in: .seconds(1)) }
        if let saw { line.add("saw", Self.object(saw, for: sawFor)) }
        if let sees { line.add("sees", Self.object(sees)) }
        if case .transition = event, sees == nil { line.add("painted", false) }
        if let paint = arrival.paintLatency { line.add("paintMilliseconds", paint, in: .milliseconds(1)) }
        if let publish = arrival.publishLatency { line.add("publishToPaintMilliseconds", publish, in: .milliseconds(1)) }
        return line.text
    }

    private var eventName: String {
        switch event {
        case .start: "start"
        case .transition: "transition"
        case .message: "message"
        case .view: "view"
        case .end: "end"
        case .export: "export"
        case .localStop: "localStop"
        case .localRelease: "localRelease"
        case .held: "held"
        case .killed: "killed"
        }
    }

    private func addEvent(to line: inout JSONLine) {
        switch event {
        case .start(let session): line.add(session)
        case .transition(let transition):
            line.add(transition)
            if let why {
                line.add("by", why.by)
                line.add("because", why.because.map(PlanReport.ReasonMembers.init))
            }
            if let transport = arrival.transport { line.add("transport", transport.rawValue) }
        case .end(let how):
            line.add("how", how)
            line.add("stage", stage?.rawValue)
        case .localStop(let stop):
            line.add("by", stop.author)
            line.add("fromInside", stop.isFromInside)
            line.add("reason", stop.reason)
            line.add("stage", stage?.rawValue)
        case .held(let held):
            line.add("processes", held.processes)
            line.add("by", held.means)
            if !held.notHeld.isEmpty { line.add("notHeld", held.notHeld) }
        case .killed(let names): line.add("processes", names)
        case .localRelease(let author):
            line.add("by", author)
            line.add("stage", stage?.rawValue)
        case .message, .view, .export: line.add("stage", stage?.rawValue)
        }
    }

    private static func object(_ sight: Sight, for time: Duration? = nil) -> JSONLine {
        var object = JSONLine()
        object.add("view", sight.view.rawValue)
        if sight.view != .dashboard { object.add("message", sight.message) }
        if let time { object.add("seconds", time, in: .seconds(1)) }
        return object
    }

    /// ISO 8601 in UTC with milliseconds: `2026-01-31T14:02:11.250Z`.
    package static func time(_ date: Date) -> String {
        // The format style truncates; adding half a millisecond makes it round.
        let rounded = date.addingTimeInterval(0.0005)
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
    }
}
