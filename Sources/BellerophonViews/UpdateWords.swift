/// What a terminal shows before and after the app's update command runs in it.
package enum UpdateWords {
    /// The heading above the command's own output.
    /// - Parameter version: the version to go back to; nil for an update.
    package static func begin(_ command: String, of app: String, backTo version: String? = nil) -> String {
        let heading = version.map { "\(app) must go back to \($0)" } ?? "updating \(app)"
        return "\n── \(heading) ──\n$ \(command)\n\n"
    }

    /// The line below the command's output.
    /// - Parameter end: how the command ended, as the verb of a sentence.
    package static func ended(_ end: String) -> String { "\n── the update \(end) ── Press Enter to go back.\n" }
}
