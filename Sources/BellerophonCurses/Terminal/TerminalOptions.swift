public import TerminalUI

/// How ``CursesTerminal`` uses the terminal.
public struct TerminalOptions: Equatable, Sendable {
    /// The highest colour depth to use; nil uses all colours of the terminal, or none if `NO_COLOR` is set.
    public var color: ColorDepth?
    /// Whether clicks and the wheel are reported as keys.
    public var mouse: Bool
    /// Whether linked text is written as terminal hyperlinks.
    public var hyperlinks: Bool

    /// Creates options.
    public init(color: ColorDepth? = nil, mouse: Bool = true, hyperlinks: Bool = true) {
        self.color = color
        self.mouse = mouse
        self.hyperlinks = hyperlinks
    }
}
