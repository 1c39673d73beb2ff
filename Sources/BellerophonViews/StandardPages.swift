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
        pages = OverlayPages(content, .of(content), keys: keys)
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
    package func effective(for content: OverlayContent) -> KeyMap<OverlayCommand> {
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
                guard binding.action == .runUpdate, let action = content.updateAction else {
                    return binding.saying(content.phrases)
                }
                return binding.saying(action, content.phrases)
            })
    }
}

extension KeyBinding<OverlayCommand> {
    /// The binding in a person's language. Words of the app's own stay.
    fileprivate func saying(_ phrases: OverlayPhrases) -> KeyBinding {
        let (english, own) = (OverlayPhrases.english.key(action), phrases.key(action))
        return KeyBinding(
            keys, does: action, hint: hint.map { $0 == english.hint ? own.hint ?? $0 : $0 },
            help: help == english.help ? own.help : help)
    }

    /// The binding in the words for what the key does now.
    fileprivate func saying(_ update: UpdateAction, _ phrases: OverlayPhrases) -> KeyBinding {
        let words = phrases.keys
        switch update {
        case .run(let command) where command.purpose == .refresh: return with(words.lookAgain)
        case .run(let command) where command.goesBack: return with(words.runCommand)
        case .run(let command) where command.restarts:
            let own = saying(phrases)
            return own.with(own.hint, words.restartingHelp)
        case .run: return saying(phrases)
        case .goOn: return with(words.goOn)
        case .restart(let version):
            return with(version.map { words.start.hint.with(["version": $0]) } ?? words.startAgain, words.start.help)
        }
    }

    private func with(_ key: OverlayPhrases.Key) -> KeyBinding { with(key.hint, key.help) }

    private func with(_ newHint: String?, _ help: String) -> KeyBinding {
        KeyBinding(keys, does: action, hint: hint.flatMap { _ in newHint }, help: help)
    }
}
