/// What a terminal shows before and after the app's update command runs in it.
package enum UpdateWords {
    /// The heading above the command's own output.
    package static func begin(_ command: String, of app: String) -> String { "\n── updating \(app) ──\n$ \(command)\n\n" }

    /// The line below the command's output.
    /// - Parameter end: how the command ended, as the verb of a sentence.
    package static func ended(_ end: String) -> String { "\n── the update \(end) ── Press Enter to go back.\n" }
}
