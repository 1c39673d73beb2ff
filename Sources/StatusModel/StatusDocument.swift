public import Foundation
import SafeText

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
    public static let messageLimit = TextSanitizer.byteLimit

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
        let clean = TextSanitizer.sanitize(text, keepingNewlines: keepingNewlines, limit: limit)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return clean.isEmpty ? nil : clean
    }

    /// The longest address that is kept, in bytes.
    public static let addressLimit = 2048

    /// The address if it is a plain web address that is safe to show and to open, else nil.
    ///
    /// Refused is what shows one place and opens another, or acts on a terminal: other schemes than `http` and `https`,
    /// more than ``addressLimit`` bytes, spaces, controls and all else that ``TextSanitizer`` would change, an
    /// escape in the host, a backslash (which browsers read as a slash), quotes and angle brackets, and, unless
    /// allowed, a user name: `https://apple.com@example.net` shows one host and opens another.
    public static func webAddress(_ text: String, allowsUserInfo: Bool = false) -> String? {
        guard text.utf8.count <= addressLimit, isShownAsItIs(text), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty, isPlainHost(host), !isEscaped(authority(of: text)),
            allowsUserInfo || (parts.percentEncodedUser == nil && parts.percentEncodedPassword == nil)
        else { return nil }
        return text
    }

    private static func isShownAsItIs(_ text: String) -> Bool {
        // Compared by scalars: two texts are equal to Swift as soon as they are canonically equivalent.
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: addressLimit).unicodeScalars.elementsEqual(
            text.unicodeScalars)
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || "\\\"<>`".unicodeScalars.contains($0) }
    }

    private static func isPlainHost(_ host: String) -> Bool {
        host.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value) }
    }

    /// A host with escapes in it ends the process inside Foundation's transport on Linux.
    private static func isEscaped(_ authority: Substring) -> Bool {
        authority[(authority.lastIndex(of: "@") ?? authority.startIndex)...].contains("%")
    }

    /// What stands between `//` and the path.
    private static func authority(of text: String) -> Substring {
        guard let start = text.firstRange(of: "//")?.upperBound else { return "" }
        return text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
