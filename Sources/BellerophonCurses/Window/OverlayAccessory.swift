public import TerminalUI

/// An element of the program on the overlay, such as a tester's scenario picker.
///
/// While the overlay is shown, the accessory handles every key first and is drawn last.
@MainActor
public protocol OverlayAccessory: AnyObject {
    /// The accessory's keys, for the overlay's footer and help page.
    var keyHints: [KeyHint] { get }
    /// Handles a key. Returns false to leave the key to the overlay.
    func handle(_ key: Key) -> Bool
    /// Draws on the finished frame of the view.
    func draw(in frame: inout Frame)
}
