import BellerophonBase
import Foundation

/// Whom the server tells of changes and problems.
package struct WebhookSettings: Equatable, Sendable {
    /// A command of the shell; nil for none.
    package var command: String?
    /// An http or https address; nil for none.
    package var url: String?
    /// The file with the secret that signs what is sent to ``url``; nil if it is not signed.
    package var secret: String?
    /// The longest time for one attempt.
    package var timeLimit = Duration.seconds(10)
    /// The number of attempts to deliver an event. The waits between them double from one second to a minute.
    package var attempts = 8
    /// How long before the end of a timed status there is a reminder; nil for none.
    package var remindBefore: Duration? = .seconds(600)
    /// After what time, and its multiples, there is a reminder of a status that stops an app; nil for none.
    package var remindAfter: Duration? = .seconds(86_400)

    /// The shortest and the longest secret, in bytes.
    private static let secretSizes = 16...4096

    package init() {}

    /// The secret, without white space around it; nil if none is configured.
    /// - Throws: ``ServerError`` if the file can't be read, others may read it, or the secret is too short to be one.
    package func secretBytes() throws(ServerError) -> Data? {
        guard let secret else { return nil }
        let text: String
        do {
            let data = try SecretFile.read(secret, limit: Self.secretSizes.upperBound, readers: .groupOfRoot)
            text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw ServerError("hooks.secret: \(secret) can't be used: \(error)", hint: "name a file that only this user can read")
        }
        guard Self.secretSizes.contains(text.utf8.count) else {
            throw ServerError(
                "hooks.secret: \(secret) has \(text.utf8.count) bytes; expected at least \(Self.secretSizes.lowerBound)",
                hint: "`openssl rand -hex 32` makes one")
        }
        return Data(text.utf8)
    }
}
