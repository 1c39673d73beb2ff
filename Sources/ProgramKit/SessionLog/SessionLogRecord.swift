import Bellerophon
import BellerophonBase
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
        let (name, members) = content
        let start: JSONNode.Members = [
            ("time", .text(Self.time(date))), ("event", .text(name)), ("service", service.map { .printable($0) }),
        ]
        var end: JSONNode.Members = [
            ("lastedSeconds", lasted.map { .time($0) }), ("saw", saw.map { Self.object($0, for: sawFor) }),
            ("sees", sees.map { Self.object($0) }),
        ]
        if case .transition = event, sees == nil { end.append(("painted", .bool(false))) }
        end += [
            ("paintMilliseconds", arrival.paintLatency.map { .time($0, in: .milliseconds(1)) }),
            ("publishToPaintMilliseconds", arrival.publishLatency.map { .time($0, in: .milliseconds(1)) }),
        ]
        return JSONNode.object(start + members + end).line
    }

    /// The name of the event, and its own members.
    private var content: (name: String, members: JSONNode.Members) {
        let stage: (String, JSONNode?) = ("stage", .printable(stage?.rawValue))
        switch event {
        case .start(let session): return ("start", session.members)
        case .transition(let transition):
            let reasons: JSONNode.Members = [
                ("by", why.map { .printable($0.by) }),
                ("because", why.map { .encoding($0.because.map(\.members)) }),
                ("transport", arrival.transport.map { .text($0.rawValue) }),
            ]
            return ("transition", transition.members + reasons)
        case .message: return ("message", [stage])
        case .view: return ("view", [stage])
        case .end(let how): return ("end", [("how", .printable(how)), stage])
        case .export: return ("export", [stage])
        case .localStop(let stop):
            let by: JSONNode.Members = [("by", .printable(stop.author)), ("fromInside", .bool(stop.isFromInside))]
            return ("localStop", by + [("reason", .printable(stop.reason)), stage])
        case .localRelease(let author): return ("localRelease", [("by", .printable(author)), stage])
        case .held(let held):
            let notHeld = held.notHeld.isEmpty ? nil : JSONNode.printable(held.notHeld)
            return ("held", [("processes", .number(held.processes)), ("by", .printable(held.means)), ("notHeld", notHeld)])
        case .killed(let names): return ("killed", [("processes", .printable(names))])
        }
    }

    private static func object(_ sight: Sight, for time: Duration? = nil) -> JSONNode {
        .object([
            ("view", .text(sight.view.rawValue)), ("message", sight.view == .dashboard ? nil : .printable(sight.message)),
            ("seconds", time.map { .time($0) }),
        ])
    }

    /// ISO 8601 in UTC with milliseconds: `2026-01-31T14:02:11.250Z`.
    package static func time(_ date: Date) -> String {
        // The format style truncates; adding half a millisecond makes it round.
        let rounded = date.addingTimeInterval(0.0005)
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
    }
}
