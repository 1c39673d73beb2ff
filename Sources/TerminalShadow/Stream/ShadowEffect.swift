/// What a part of a program's output does besides changing the screen.
package enum ShadowEffect: Equatable, Sendable {
    /// It changes cells, the cursor or modes only.
    case screen
    /// It asks the terminal something that the shadow can answer.
    case question(ShadowQuestion)
    /// It asks the terminal something that only the terminal knows. It draws nothing.
    case query
    /// It acts outside the screen: the title, the clipboard, colours of the palette, windows, notifications.
    case outside
    /// It switches to the alternate screen (true) or to the main screen (false). `keepsCells`: the cells of the screen that
    /// was left are kept by the terminal and may be seen again.
    case switched(toAlternate: Bool, keepsCells: Bool)
    /// It has no effect.
    case nothing
}

/// A question that the shadow can answer.
package enum ShadowQuestion: Equatable, Sendable {
    /// The cursor's position (DSR 6); `isExtended` for the private form.
    case cursor(isExtended: Bool)
    /// A private mode (DECRQM), if the program has set or reset it.
    case mode(Int)
    /// The flags of the kitty keyboard protocol, if the program has used it.
    case keyboardFlags
}
