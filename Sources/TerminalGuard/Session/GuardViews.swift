import Bellerophon
import BellerophonViews
import TerminalUI

/// The views of a guard.
@MainActor
package enum GuardViews {
    /// The view of a kill, and of a stop on this machine.
    /// - Parameter isPlain: whether it consists of lines, for a person who does not see the screen.
    package static func kill(
        isPlain: Bool, keys: KeyMap<OverlayCommand> = OverlayCommand.standardKeys
    ) -> any OverlayView {
        isPlain ? LinearView(keys: keys) : KillSwitchView(keys: keys)
    }

    /// The view of a required update.
    /// - Parameter isPlain: whether it consists of lines, for a person who does not see the screen.
    package static func update(
        isPlain: Bool, keys: KeyMap<OverlayCommand> = OverlayCommand.updateKeys
    ) -> any OverlayView {
        isPlain ? LinearView(keys: keys) : ForceUpdateView(keys: keys)
    }
}
