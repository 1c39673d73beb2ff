package import Bellerophon
import TerminalUI

// What ends by itself: notices, and the times in which keys do not count.
extension OverlayInteraction {
    /// Shows a notice for ``noticeTime``, or until the next key.
    package mutating func notify(_ text: String, at now: MonotonicInstant) -> [OverlayEffect] {
        notify(text, until: now.advanced(by: Self.noticeTime), at: now)
    }

    private mutating func notify(_ text: String, until end: MonotonicInstant, at now: MonotonicInstant) -> [OverlayEffect] {
        presentation.notice = text
        noticeEnd = end
        return [.redraw] + awaitChange(at: now)
    }

    /// Ends the notice, if there is one. For a key that something else than the overlay may take.
    package mutating func endNotice() -> [OverlayEffect] {
        guard presentation.notice != nil else { return [] }
        presentation.notice = nil
        noticeEnd = nil
        return [.redraw]
    }

    /// Says what became of a text for the clipboard.
    /// - Parameter wasSent: whether the terminal is known to take such requests. Whether it did is never known.
    package mutating func clipboardAnswered(_ name: String, wasSent: Bool, at now: MonotonicInstant) -> [OverlayEffect] {
        let words = wasSent ? phrases.answers.sent.with(["name": name]) : phrases.answers.noClipboard
        return notify(words, at: now)
    }

    /// Says what became of a request to open a link.
    /// - Parameters:
    ///   - browser: the name of the program that opens it; nil if there is none.
    ///   - wasCopied: whether the address was sent to the clipboard instead.
    package mutating func linkEnded(browser: String?, wasCopied: Bool, at now: MonotonicInstant) -> [OverlayEffect] {
        let words = phrases.answers
        let opening = browser.map { words.opening.with(["name": $0]) }
        return notify(opening ?? (wasCopied ? words.noBrowserCopied : words.noBrowser), at: now)
    }

    // MARK: Keys that do not count

    /// A key came too soon. It says so until keys count.
    mutating func ignoreKey(at now: MonotonicInstant) -> [OverlayEffect] {
        hold?.keyCame(at: now)
        guard let hold else { return [] }
        return notify(phrases.answers.keysIgnored, until: hold.end, at: now)
    }

    /// Ends what is over: the time in which keys do not count, with the notice of an ignored one.
    /// - Returns: whether the screen changes.
    @discardableResult
    mutating func endHold(at now: MonotonicInstant) -> Bool {
        guard let hold, hold.isOver(at: now) else { return false }
        self.hold = nil
        if noticeEnd.map({ $0 <= now }) ?? false { _ = endNotice() }
        return true
    }

    // MARK: Waiting

    /// Ends what is over now. The window calls it after the wait of ``OverlayEffect/wake(after:)``; an earlier or a later call
    /// is harmless.
    package mutating func wake(at now: MonotonicInstant) -> [OverlayEffect] {
        wakeDue = nil
        var hasChanged = endHold(at: now)
        if let noticeEnd, noticeEnd <= now { hasChanged = !endNotice().isEmpty || hasChanged }
        if let open = question, !open.isReady, open.hold.isOver(at: now) {
            question?.isReady = true
            hasChanged = true
        }
        return (hasChanged ? [.redraw] : []) + awaitChange(at: now)
    }

    /// Asks for a call of ``wake(at:)`` at the next change, unless one comes before.
    mutating func awaitChange(at now: MonotonicInstant) -> [OverlayEffect] {
        let questionEnd = question.flatMap { $0.isReady ? nil : $0.hold.end }
        guard let next = [hold?.end, noticeEnd, questionEnd].compactMap(\.self).min() else { return [] }
        if let wakeDue, wakeDue <= next, wakeDue > now { return [] }
        wakeDue = next
        return [.wake(after: max(.zero, now.duration(to: next)))]
    }
}
