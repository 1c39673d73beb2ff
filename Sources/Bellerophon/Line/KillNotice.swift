public import Foundation
import SafeText
public import StatusModel

/// What a kill or a required update said when it ended a program without a screen. All text is sanitised.
public struct KillNotice: Equatable, Sendable {
    /// `.killed` or `.updateRequired`.
    public let stage: Stage
    /// The line that is written to standard error: `deploy is paused (status.example.com): Back at noon. (it ends within 10 s)`.
    public let line: String
    /// The host that the status is from.
    public let host: String
    /// The message of the status; nil if there is none.
    public let message: String?
    /// The version that the status requires; nil if it names none.
    public let requiredVersion: String?
    /// When the pause ends or the service is expected back; nil if the status does not say, or for an update.
    public let backAt: Date?
    /// The address of the update, from the status or the app; nil if there is none.
    public let link: String?

    /// - Parameters:
    ///   - content: what a view would show.
    ///   - outcome: what happens to the program: `it ends within 10 s`.
    init(_ content: OverlayContent, outcome: String) {
        stage = content.stage
        host = content.host
        message = content.message
        requiredVersion = content.stage == .updateRequired ? content.requiredVersion : nil
        backAt = content.stage == .killed ? content.endsAt : nil
        link = content.stage == .updateRequired ? content.link : nil
        let version = requiredVersion.map { "; " + content.phrases.lines.versionRequired.with(["version": $0]) } ?? ""
        let text = "\(content.summary(name: content.app.name)) (\(outcome)\(version))"
        line = TextSanitizer.sanitize(text, keepingNewlines: false)
    }
}
