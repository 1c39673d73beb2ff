import TerminalUI

/// An element of the program on the overlay, such as a tester's scenario picker.
///
/// While the overlay is shown, the accessory handles every key first and is drawn last.
@MainActor
package protocol OverlayAccessory: AnyObject {
    /// The accessory's keys, for the overlay's footer and help page.
    var keyHints: [KeyHint] { get }
    /// Handles a key. Returns false to leave the key to the overlay.
    func handle(_ key: Key) -> Bool
    /// Draws on the finished frame of the view.
    func draw(in frame: inout Frame)
    /// The rows that it takes at the lower edge of a terminal of this size, such as for a caption. The view is drawn above them.
    func rowsBelow(_ size: Size) -> Int
    /// Draws the rows below the view.
    /// - Parameter rect: these rows.
    func drawBelow(in frame: inout Frame, _ rect: Rect)
}
