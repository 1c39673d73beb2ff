public import TerminalUI

/// A full-screen view that covers the app: a provided view or the app's own.
@MainActor
public protocol OverlayView: AnyObject {
    /// Draws the whole view. The frame is blank, has the terminal's current size, and may be as small as 1×1.
    func draw(_ content: OverlayContent, in frame: inout Frame)

    /// The keys of the view, for the footer, the help page and the window. Default: ``OverlayCommand/standardKeys``.
    var keyMap: KeyMap<OverlayCommand> { get }

    /// How far the open page can be scrolled, so that the window does not scroll past its end.
    ///
    /// The result is the highest useful ``OverlayPresentation/scroll`` for this content and size of the view: 0 if all text is
    /// visible. Default: no limit.
    func scrollLimit(for content: OverlayContent, size: Size) -> Int
}

extension OverlayView {
    /// The keys of the kill view.
    public var keyMap: KeyMap<OverlayCommand> { OverlayCommand.standardKeys }
    /// No limit.
    public func scrollLimit(for content: OverlayContent, size: Size) -> Int { .max }
}

/// A window above everything that the app draws. It shows at most one view at a time.
///
/// Only the manager calls its methods. A window makes no decisions.
@MainActor
public protocol OverlayWindow: AnyObject {
    /// Handles the commands that the window cannot handle by itself. The manager sets it; hold it weakly.
    var responder: (any OverlayResponder)? { get set }

    /// Covers the app with a view, or replaces the current view without uncovering the app.
    func present(_ view: any OverlayView, content: OverlayContent)

    /// Redraws the current view with new content.
    func update(_ content: OverlayContent)

    /// Removes the view and restores the app's display.
    func dismiss()

    /// Shows a notice in one line over the app, in place of the one that is shown; nil removes it. Default: nothing.
    ///
    /// The app keeps its keys and its cursor. While a view covers the app, the notice is part of the view.
    func notify(_ notice: OverlayNotice?)
}

extension OverlayWindow {
    /// Shows nothing.
    public func notify(_ notice: OverlayNotice?) {}
}

/// A window that can cover the app while the main queue is not served.
@MainActor
package protocol DeputizedWindow: OverlayWindow {
    /// Covers the app in place of the window meanwhile.
    var deputy: any OverlayDeputy { get }
    /// The main queue is served. Called before the window is told of what has happened meanwhile.
    func mainQueueReturns()
    /// The window shows the present status. It takes over what the deputy still shows.
    func mainQueueReturned()
}

/// Handles the commands that a window cannot handle by itself. A ``BellerophonManager`` gives its window one.
@MainActor
public protocol OverlayResponder: AnyObject {
    /// The person requested a check.
    func overlayRequestsCheck()
    /// The update command has ended; the status should be checked immediately.
    func overlayDidRunUpdate()
    /// The program continues after it was stopped, for example by Control-Z.
    func overlayDidResume()
    /// The person goes on without a required update, which can't be had. Default: nothing.
    func overlayGoesOnWithoutUpdate()
}

extension OverlayResponder {
    /// Does nothing.
    public func overlayGoesOnWithoutUpdate() {}
}

/// The command of a key in an overlay.
public enum OverlayCommand: String, Equatable, Sendable, CaseIterable {
    /// Check the status now.
    case checkNow
    /// Show or hide the details page.
    case toggleDetails
    /// Copy the message to the clipboard.
    case copyMessage
    /// Open the link in a browser.
    case openLink
    /// Copy the link to the clipboard.
    case copyLink
    /// Run the app's update command.
    case runUpdate
    /// Show or hide the list of keys.
    case toggleHelp
    /// Scroll the page up.
    case scrollUp
    /// Scroll the page down.
    case scrollDown
    /// Go to the start of the page or the message.
    case scrollToTop
    /// Go to the end of the page or the message.
    case scrollToEnd
    /// Close the details or the help page.
    case close
    /// Quit the app. On the details or the help page: close the page.
    case quit
}

extension OverlayCommand {
    /// The keys of the kill view.
    public static let standardKeys = KeyMap<OverlayCommand>([
        KeyBinding(.character("r"), does: .checkNow, hint: "check now", help: "ask the server for the status now"),
        KeyBinding(.character("d"), does: .toggleDetails, hint: "details", help: "show or hide what is known of the last checks"),
        KeyBinding(.character("y"), does: .copyMessage, hint: "copy message", help: "copy the message to the clipboard"),
        KeyBinding(.up, .character("k"), .pageUp, does: .scrollUp, help: "scroll a long message back"),
        KeyBinding(.down, .character("j"), .pageDown, does: .scrollDown, help: "scroll a long message on"),
        KeyBinding(.home, .character("g"), does: .scrollToTop, help: "go to the start of the message"),
        KeyBinding(.end, .character("G"), does: .scrollToEnd, help: "go to the end of the message"),
        KeyBinding(.character("?"), .function(1), does: .toggleHelp, hint: "help", help: "show or hide this list"),
        KeyBinding(.escape, does: .close, help: "close details or help"),
        KeyBinding(.character("q"), .control("c"), does: .quit, hint: "quit", help: "leave the program; on a page, go back"),
    ])

    /// The keys of the update view.
    public static let updateKeys = KeyMap<OverlayCommand>(
        [
            KeyBinding(.character("u"), does: .runUpdate, hint: "update", help: "run the update command, then check again"),
            KeyBinding(.character("o"), does: .openLink, hint: "open link", help: "open the link in a browser"),
            KeyBinding(.character("y"), does: .copyLink, hint: "copy link", help: "copy the link to the clipboard"),
        ] + standardKeys.bindings.filter { $0.action != .copyMessage })
}
