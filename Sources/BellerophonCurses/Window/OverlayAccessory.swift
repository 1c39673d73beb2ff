public import TerminalUI

/// Something of the program's own that stands on the overlay, such as a tester's scenario picker.
///
/// It is asked first for every key while the overlay stands, and drawn last.
@MainActor
public protocol OverlayAccessory: AnyObject {
    /// Its keys, for the overlay's footer and help page.
    var keyHints: [KeyHint] { get }
    /// Takes a key, or leaves it to the overlay by returning false.
    func handle(_ key: Key) -> Bool
    /// Draws over the view's finished frame.
    func draw(in frame: inout Frame)
}
