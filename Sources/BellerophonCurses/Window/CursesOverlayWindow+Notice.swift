public import Bellerophon
import BellerophonViews
import CNcurses
import TerminalUI

extension CursesOverlayWindow {
    /// Reserves the first line of the screen for notices, so that they hide nothing. The app's own screen begins below it, and has
    /// one row less (`LINES`).
    ///
    /// Call it right before `initscr` or `newterm`, in an app that opens its own ncurses screen. Without a reserved line, a notice
    /// hides a part of the first row for as long as it is shown. Do not call it in a program with a ``CursesTerminal``, whose
    /// screen would lose its last row.
    public static func reserveLine() { cncurses_reserve_line() }

    /// Shows a notice in one row over the app, or takes it away with nil. The app keeps its keys and its cursor.
    ///
    /// The row is at the top right; while the app's cursor is in the first row of the screen, it is at the bottom.
    public func notify(_ notice: OverlayNotice?) {
        self.notice = notice
        session?.setNeedsPaint()
        scheduleNoticeCheck()
    }

    /// The row of the notice over a screen of the app; nil without a notice.
    func banner(_ size: Size, _ cursor: Point?) -> Banner? {
        guard let notice else { return nil }
        // Nothing of the app is in a reserved line, and the cursor never is.
        let isReserved = session?.isGuest == true && cncurses_has_reserved_line()
        return NoticeWords.banner(notice, size: size, room: isReserved ? .whole : .shared, cursor: isReserved ? nil : cursor)
    }

    /// The time between two looks at the row of a notice.
    private static let noticeLookPause = Duration.milliseconds(500)

    /// A host that waits for a key in its loop has the notice restored there. Another one may draw at any time.
    func scheduleNoticeCheck() {
        noticeLook?.cancel()
        noticeLook = nil
        guard notice != nil, !waitsInLoop, session?.isGuest == true else { return }
        noticeLook = time.schedule(after: Self.noticeLookPause) { [weak self] in
            self?.session?.restoreHostNotice()
            self?.scheduleNoticeCheck()
        }
    }
}
