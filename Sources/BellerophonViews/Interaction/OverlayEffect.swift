import Bellerophon

/// What the window of an overlay must do after an event. ``OverlayInteraction`` returns effects; the window performs them in
/// order.
package enum OverlayEffect: Equatable, Sendable {
    /// Draw the overlay again.
    case redraw
    /// Draw the overlay again and send every cell, whatever the terminal seems to show.
    case redrawEveryCell
    /// Ask the server for the status now.
    case check
    /// Send the text to the clipboard, then report the result with ``OverlayInteraction/clipboardAnswered(_:wasSent:at:)``.
    case copy(text: String, name: String)
    /// Open the address, which is a safe web address and which the person has confirmed. Then report
    /// the result with ``OverlayInteraction/linkEnded(browser:wasCopied:at:)``.
    case openLink(String)
    /// Run the app's update command in the terminal. The person has confirmed it.
    case runUpdate(UpdateCommand)
    /// Start the program again, because this version is installed. The person has confirmed it if something could be lost.
    case restart(version: String?)
    /// Go on without the required update, as the app allows while it can't be had.
    case goOnWithoutUpdate
    /// Stop the program until its shell continues it.
    case suspend
    /// Leave the program. The person has confirmed it if something could be lost.
    case quit
    /// After this time, call ``OverlayInteraction/wake(at:)``.
    case wake(after: Duration)
}
