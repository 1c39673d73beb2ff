import Bellerophon
import Foundation
import TerminalUI

/// What the dashboard is told.
package enum DashboardMessage: Equatable, Sendable {
    /// A key, a mouse event or a resize.
    case key(Key)
    /// What the manager tells of its work. Send a ``clock(now:date:)`` before it: the log's times come from there.
    case report(StatusReport)
    /// The manager's machine as it stands now. Everything shown of the present state is derived from it.
    case status(StageMachine)
    /// The stream as it stands now; nil where there is none.
    case stream(StreamMachine?)
    /// A status was painted that long after the server had published it; nil where the clocks can't tell.
    case painted(sincePublished: Duration?)
    /// The present, at least once a second.
    case clock(now: MonotonicInstant, date: Date)
    /// Where the barricade stands. Send it after every change and while a timeline plays.
    case barricade(ScenarioList)
    /// A command was carried out, by a key or by a script, and where the barricade stands now.
    case performed(BarricadeCommand, ScenarioList)
    /// A command was refused, and why.
    case refused(String)
    /// Open the scenario picker whatever else is open: it is wanted over an overlay, where the dashboard's keys are cut.
    case openPicker
    /// What the dashboard says of itself, at the start and after every change.
    case content(DashboardContent)
    /// Where every resource stands, at the start and after every change.
    case resources([ResourceRow])
    /// A resource was renewed, in words: for the footer and the event log.
    case contentChanged(String)
    /// A passing remark for the footer.
    case notice(String)
    /// Something went wrong beside the status: shown in the footer and kept in the event log.
    case problem(String)
    /// The terminal's size, at the start and after every change. Mouse clicks and page keys go by it.
    case resized(Size)
}

/// What the dashboard wants done.
package enum DashboardEffect: Equatable, Sendable {
    /// Ask for the status now.
    case checkNow
    /// Tell the barricade; ``DashboardMessage/performed(_:_:)`` or ``DashboardMessage/refused(_:)`` comes back.
    case barricade(BarricadeCommand)
    /// Ask the servers for newer content: of the resource of that name, or of all.
    case sync(String?)
    /// Put text on the clipboard.
    case copy(String)
    /// Save the journal of this session to a new file.
    case exportJournal
    /// Paint the whole terminal anew.
    case redraw
    /// Leave the program.
    case quit
}
