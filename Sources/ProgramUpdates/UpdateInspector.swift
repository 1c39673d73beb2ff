/// Finds out what is installed and what can be had.
package protocol UpdateInspector: Sendable {
    /// How the program is updated.
    var source: UpdateSource { get }

    /// Asks the source and the program. The thread waits, at most about 35 seconds.
    /// - Parameter isWanted: whether a version would do. The first one that would is tried, where the source can do that.
    func findings(_ isWanted: (String) -> Bool) -> UpdateFindings

    /// Asks only what is installed, after an update. The thread waits, at most about 3 seconds.
    func installed() -> UpdateFindings
}

extension UpdateInspector {
    /// Asks the source and the program, and tries the version that the source installs by itself.
    package func findings() -> UpdateFindings { findings { _ in true } }
}
