/// Finds out what is installed and what can be had.
package protocol UpdateInspector: Sendable {
    /// How the program is updated.
    var source: UpdateSource { get }

    /// Asks the source and the program. The thread waits, at most about 35 seconds.
    func findings() -> UpdateFindings

    /// Asks only what is installed, after an update. The thread waits, at most about 3 seconds.
    func installed() -> UpdateFindings
}
