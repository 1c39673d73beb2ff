import Foundation
import SafeText

extension BellerophonConfig {
    /// The source of the statuses, for display.
    var sourceName: String { source?.name ?? delegateSender ?? app.name }

    /// Whom the messages are from, for display.
    package var senderName: String { source?.host ?? delegateSender ?? app.name }

    /// The longest name of a sender, in bytes: that of a host.
    private static let senderLimit = 253

    /// What the delegate says, safe to draw; nil without a word.
    private var delegateSender: String? {
        let text = TextSanitizer.sanitize(delegate?.statusSender ?? "", keepingNewlines: false, limit: Self.senderLimit)
        let name = text.trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? nil : name
    }
}
