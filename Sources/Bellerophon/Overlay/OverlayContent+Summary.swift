import SafeText
import StatusModel

extension OverlayContent {
    /// What the status says in a line, for a shell or a log: `vim is paused (demo.local): Back at 14:30.`
    /// - Parameter name: the program's name.
    package func summary(name: String) -> String {
        let state =
            standing.basis == .policy ? "has no known status" : stage == .updateRequired ? "needs an update" : "is paused"
        let message = message.map { ": \(TextSanitizer.sanitize($0, keepingNewlines: false))" } ?? ""
        let link = stage == .updateRequired ? link.map { " Get it: \($0)" } ?? "" : ""
        return "\(name) \(state) (\(host))\(message)\(link)"
    }
}
