/// How a program of ours uses its terminal.
public struct TerminalOptions: Equatable, Sendable {
    /// The most colours to use; nil takes all that the terminal has, and none where `NO_COLOR` is set.
    public var color: ColorDepth?
    /// Whether clicks and the wheel are reported as keys.
    public var mouse: Bool
    /// Whether linked text is written as terminal hyperlinks.
    public var hyperlinks: Bool

    public init(color: ColorDepth? = nil, mouse: Bool = true, hyperlinks: Bool = true) {
        self.color = color
        self.mouse = mouse
        self.hyperlinks = hyperlinks
    }
}
