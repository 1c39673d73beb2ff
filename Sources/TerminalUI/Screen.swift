/// The only object that changes a terminal's display.
@MainActor
public protocol Screen: AnyObject {
    /// The terminal's current size.
    var size: Size { get }
    /// Shows the frame. A frame of another size than the screen's is cut or padded.
    func present(_ frame: Frame)
}
