import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// An input of the dashboard.
package enum DashboardMessage: Equatable, Sendable {
    /// A key, a mouse event or a resize.
    case key(Key)
    /// A report of a service's manager. Send a ``clock(now:date:)`` before it: the log takes its times from there.
    case report(StatusReport, of: Int = 0)
    /// The current machine of a service's manager. Everything shown about the current state is derived from it.
    case status(StageMachine, of: Int = 0)
    /// The stream's current state; nil without a stream.
    case stream(StreamMachine?, of: Int = 0)
    /// What the person is told of a service; nil for nothing.
    case told(OverlayNotice?, of: Int = 0)
    /// A status was painted this long after its publication; nil if that is unknown or the clocks differ.
    case painted(sincePublished: Duration?, of: Int = 0)
    /// The current time, at least once a second.
    case clock(now: MonotonicInstant, date: Date)
    /// The barricade's current state. Send it after every change and while a timeline plays.
    case barricade(ScenarioList)
    /// All services that the program watches, and which one is open. Send it after every change, if there are several.
    case services(ServiceList)
    /// A command of a key or script was performed; with the barricade's state afterwards.
    case performed(BarricadeCommand, ScenarioList)
    /// A key that opens the picker or another service, or controls a timeline, while an overlay is shown and the other keys are disabled.
    case overlayKey(Key)
    /// The dashboard's own texts and layout, at the start and after every change.
    case content(DashboardContent)
    /// The state of every resource, at the start and after every change.
    case resources([ResourceRow])
    /// A resource was updated; the text is for the footer and the event log.
    case contentChanged(String)
    /// Text was sent to the terminal for its clipboard, or the terminal has none. Whether it took the text is never known.
    case copied(wasSent: Bool)
    /// A temporary remark for the footer.
    case notice(String)
    /// A problem other than the status, shown in the footer and kept in the event log.
    case problem(String)
    /// The terminal's size, at the start and after every change. Mouse clicks and scrolling depend on it.
    case resized(Size)
}

/// An action that the dashboard requests.
package enum DashboardEffect: Equatable, Sendable {
    /// Check the status now.
    case checkNow
    /// Check the status now, and abandon a pending check, which began before the simulated server changed.
    case checkAfresh
    /// Check the status of every service now.
    case checkAll
    /// Open the service with this index.
    case open(Int)
    /// Perform a command; ``DashboardMessage/performed(_:_:)`` or ``DashboardMessage/problem(_:)`` follows.
    case barricade(BarricadeCommand)
    /// Perform the command that a shortcut means at this moment; the same messages follow.
    case shortcut(BarricadeShortcut)
    /// Fetch newer content: the resource of that name, or all.
    case sync(String?)
    /// Copy text to the clipboard.
    case copy(String)
    /// Save the journal of this session to a new file.
    case exportJournal
    /// Take the colours from this theme.
    case theme(ColorTheme)
    /// Show the colours of this theme until it is chosen or taken back; nil takes it back.
    case preview(ColorTheme?)
    /// Use these settings.
    case settings(LiveSettings)
    /// Save the names of the bookmarks.
    case saveBookmarks([String])
    /// Save what the simulated server has replied in this session to a new scenario file.
    case exportScenario
    /// Redraw the whole terminal.
    case redraw
    /// Quit the program.
    case quit
}
