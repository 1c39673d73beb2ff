public import Foundation
import TerminalUI

/// A valid status document, its text safe to draw.
///
/// ```json
/// {"apiInactive": true, "forceUpdate": false, "retryInterval": 15, "userMessage": "Back at 14:30 UTC."}
/// ```
/// Two more fields are read where they are present: `requiredVersion` and `updateURL`, both strings.
/// Every other field is ignored.
public struct StatusDocument: BellerophonObservable, Equatable, Sendable {
    /// The service is stopped.
    public let isInactive: Bool
    /// This version may not go on.
    public let requiresUpdate: Bool
    /// Seconds to the next check as the server sent them: may be negative, fractional, huge or infinite.
    public let interval: Double
    /// The sanitised message; nil where there is none. At most ``messageLimit`` bytes and 40 lines.
    public let message: String?
    /// The version that the update must have at least.
    public let requiredVersion: String?
    /// An `http` or `https` address to get the update from.
    public let link: String?
    /// What was wrong with the document without making it invalid.
    public let remarks: [String]

    /// The longest message that is kept, in bytes of UTF-8.
    public static let messageLimit = SafeText.byteLimit

    public init(
        isInactive: Bool, requiresUpdate: Bool, interval: Double, message: String? = nil,
        requiredVersion: String? = nil, link: String? = nil, remarks: [String] = []
    ) {
        self.isInactive = isInactive
        self.requiresUpdate = requiresUpdate
        self.interval = interval
        self.message = message.flatMap { Self.clean($0, limit: Self.messageLimit, keepingNewlines: true) }
        self.requiredVersion = requiredVersion.flatMap { Self.clean($0, limit: 64) }
        self.link = link.flatMap { Self.webAddress($0) }
        self.remarks = remarks
    }

    /// Reads a status of the app's own type once.
    public init(observing status: any BellerophonObservable) {
        self.init(
            isInactive: status.apiInactive(), requiresUpdate: status.forceUpdate(),
            interval: status.retryInterval(), message: status.userMessage()
        )
    }

    /// The stage that the document calls for. Force update outranks kill, which outranks normal.
    public var stage: Stage {
        if requiresUpdate { return .updateRequired }
        return isInactive ? .killed : .active
    }

    public func apiInactive() -> Bool { isInactive }
    public func forceUpdate() -> Bool { requiresUpdate }
    public func retryInterval() -> TimeInterval { interval }
    public func userMessage() -> String { message ?? "" }

    private static func clean(_ text: String, limit: Int, keepingNewlines: Bool = false) -> String? {
        let clean = SafeText.sanitize(text, keepingNewlines: keepingNewlines, limit: limit)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return clean.isEmpty ? nil : clean
    }

    /// The address if it is a plain web address that is safe to show and to open, else nil.
    ///
    /// One with a user name is refused unless allowed: `https://apple.com@example.net` shows one host and opens another.
    public static func webAddress(_ text: String, allowsUserInfo: Bool = false) -> String? {
        guard text.utf8.count <= 2048, SafeText.sanitize(text, keepingNewlines: false, limit: 2048) == text,
            !text.contains(where: \.isWhitespace),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty,
            allowsUserInfo || (parts.percentEncodedUser == nil && parts.percentEncodedPassword == nil)
        else { return nil }
        return text
    }
}
