public import Bellerophon
public import TerminalUI

/// The details page, the help page and the footer of the provided views, for a view of an app's own.
///
/// The view draws its own status page, and leaves the rest to the standard pages:
/// ```swift
/// final class ClosedView: OverlayView {
///     func draw(_ content: OverlayContent, in frame: inout Frame) {
///         let pages = StandardPages(content, keys: keyMap)
///         if pages.draw(in: &frame) { return }
///         let (page, footer) = frame.bounds.split(bottom: 1)
///         frame.write("Closed.", in: page, style: Theme.paused, alignment: .center)
///         pages.drawFooter(in: footer, of: &frame)
///     }
/// }
/// ```
public struct StandardPages {
    private let pages: OverlayPages

    /// Creates the pages of a view.
    /// - Parameters:
    ///   - content: what the view draws; it also says which page is open.
    ///   - keys: the view's key map. Keys that have no effect at the moment, such as one that opens a link without a link, are
    ///     not named.
    public init(_ content: OverlayContent, keys: KeyMap<OverlayCommand>) {
        pages = OverlayPages(content: content, face: .of(content), keyMap: keys.effective(for: content))
    }

    /// Draws the details or the help page over the whole frame, with a header and a footer, if one of them is open.
    /// - Returns: false if the view must draw its own page: the status page is open, or the frame is smaller than 20×5. Nothing
    ///   is drawn then.
    public func draw(in frame: inout Frame) -> Bool {
        pages.drawPage(in: &frame)
    }

    /// Draws the footer of the view's own page: the keys, the words that say that keys do not count yet, or a notice, such as
    /// "message sent to the clipboard". A click on a key acts like the key.
    /// - Parameter rect: its first row is used.
    public func drawFooter(in rect: Rect, of frame: inout Frame) {
        pages.chrome.drawNoticeOrKeys(in: rect.row(0), of: &frame)
    }

    /// How far the details or the help page can be scrolled in a view of this size; nil where ``draw(in:)`` draws nothing.
    public func scrollLimit(_ size: Size) -> Int? {
        pages.pageScrollLimit(size)
    }
}

extension KeyMap<OverlayCommand> {
    /// The keys that have an effect: none for a link, a message or a command that is not there, and no check where none ends a
    /// stop on this machine.
    func effective(for content: OverlayContent) -> KeyMap<OverlayCommand> {
        KeyMap(
            bindings.filter { binding in
                switch binding.action {
                case .copyMessage: content.message != nil
                case .checkNow: !content.isStoppedLocally
                case .runUpdate: content.updateAction != nil
                case .openLink, .copyLink: content.link != nil
                default: true
                }
            }.map { binding in
                guard binding.action == .runUpdate, let action = content.updateAction else { return binding }
                return binding.saying(action)
            })
    }
}

extension KeyBinding<OverlayCommand> {
    /// The binding in the words for what the key does now.
    fileprivate func saying(_ update: UpdateAction) -> KeyBinding {
        switch update {
        case .run(let command) where command.purpose == .refresh: with("look again", "let the source look for newer versions")
        case .run(let command) where command.goesBack:
            with("run command", "run the command for another version, then check again")
        case .run(let command) where command.restarts: with(hint, "run the command, then go on with the new version")
        case .run: self
        case .goOn: with("go on", "go on without the update, which can't be had yet")
        case .restart(let version):
            with(version.map { "start \($0)" } ?? "start again", "end the program and start the version that is installed")
        }
    }

    private func with(_ newHint: String?, _ help: String) -> KeyBinding {
        KeyBinding(keys, does: action, hint: hint.flatMap { _ in newHint }, help: help)
    }
}
