/// What happens to the program while a view covers it. The views say it in a line.
package enum CoveredProgram: Equatable, Sendable {
    /// The program draws the view itself; ``AppInfo/whileCovered`` says what happens to it.
    case own
    /// It does not serve its main queue, so the view stands still.
    case busy
    /// It was not started, and starts when the status clears.
    case notStarted
    /// It continues, but gets no keys.
    case running
    /// The status has stopped it. It continues when the view goes.
    case paused
    /// Somebody else has stopped it, and it stays stopped when the view goes.
    case stopped
    /// It was asked to end, and is ended after this time. Zero: it is being ended.
    case ending(after: Duration)
    /// It has ended.
    case ended

    /// Whether it is about to be ended.
    package var isEnding: Bool { if case .ending = self { true } else { false } }
}
