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
    /// The keys of the kill view. A provided view shows their words in the person's language.
    public static let standardKeys = KeyMap<OverlayCommand>([
        binding(.character("r"), does: .checkNow),
        binding(.character("d"), does: .toggleDetails),
        binding(.character("y"), does: .copyMessage),
        binding(.up, .character("k"), .pageUp, does: .scrollUp),
        binding(.down, .character("j"), .pageDown, does: .scrollDown),
        binding(.home, .character("g"), does: .scrollToTop),
        binding(.end, .character("G"), does: .scrollToEnd),
        binding(.character("?"), .function(1), does: .toggleHelp),
        binding(.escape, does: .close),
        binding(.character("q"), .control("c"), does: .quit),
    ])

    /// The keys of the update view. A provided view shows their words in the person's language.
    public static let updateKeys = KeyMap<OverlayCommand>(
        [
            binding(.character("u"), does: .runUpdate),
            binding(.character("o"), does: .openLink),
            binding(.character("y"), does: .copyLink),
        ] + standardKeys.bindings.filter { $0.action != .copyMessage })

    private static func binding(_ keys: Key..., does command: OverlayCommand) -> KeyBinding<OverlayCommand> {
        let words = OverlayPhrases.english.key(command)
        return KeyBinding(keys, does: command, hint: words.hint, help: words.help)
    }
}

extension OverlayPhrases {
    /// The word of a command in the footer, if it has one, and its sentence on the help page.
    package func key(_ command: OverlayCommand) -> (hint: String?, help: String) {
        let key: Key
        switch command {
        case .scrollUp: return (nil, keys.scrollUp)
        case .scrollDown: return (nil, keys.scrollDown)
        case .scrollToTop: return (nil, keys.toStart)
        case .scrollToEnd: return (nil, keys.toEnd)
        case .close: return (nil, keys.close)
        case .checkNow: key = keys.checkNow
        case .toggleDetails: key = keys.details
        case .copyMessage: key = keys.copyMessage
        case .openLink: key = keys.openLink
        case .copyLink: key = keys.copyLink
        case .runUpdate: key = keys.update
        case .toggleHelp: key = keys.help
        case .quit: key = keys.quit
        }
        return (key.hint, key.help)
    }
}
