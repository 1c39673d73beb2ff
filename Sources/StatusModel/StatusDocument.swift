public import Foundation
import SafeText

/// A valid status document. Its texts are safe to draw.
///
/// ```json
/// {"apiInactive": true, "forceUpdate": false, "retryInterval": 15, "userMessage": "Back at 14:30 UTC."}
/// ```
/// Two optional fields are read as well: `requiredVersion` and `updateURL`, both strings. `rules` restricts some apps for some time.
/// All other fields are ignored.
public struct StatusDocument: BellerophonObservable, Equatable, Sendable {
    /// Whether the service is stopped.
    public let isInactive: Bool
    /// Whether apps below ``requiredVersion``, or all apps without one, must be updated.
    public let requiresUpdate: Bool
    /// Seconds to the next check, as sent by the server: can be negative, fractional, huge or infinite.
    public let interval: Double
    /// The values of the optional fields, sanitized and within their limits.
    package let facts: StatusFacts
    /// The rules, and what belongs to them; nil in a document that has none of their members.
    package var plan: StatusPlan?
    /// Problems in the document that do not make it invalid.
    public let remarks: [String]

    /// The longest message, in bytes of UTF-8. A longer one is cut.
    package static let messageLimit = TextSanitizer.byteLimit

    /// Creates a document.
    ///
    /// Texts are sanitized and cut to their limits. A link is dropped if `webAddress(_:allowsUserInfo:)` refuses it.
    public init(
        isInactive: Bool, requiresUpdate: Bool, interval: Double, message: String? = nil,
        requiredVersion: String? = nil, link: String? = nil, remarks: [String] = []
    ) {
        self.init(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: interval,
            facts: StatusFacts([.message: message, .requiredVersion: requiredVersion, .link: link]), remarks: remarks)
    }

    /// Creates a document with any optional fields, which are sanitized and cut to their limits.
    package init(
        isInactive: Bool, requiresUpdate: Bool, interval: Double, facts: StatusFacts, plan: StatusPlan? = nil,
        remarks: [String] = []
    ) {
        self.isInactive = isInactive
        self.requiresUpdate = requiresUpdate
        self.interval = interval
        self.facts = facts.cleaned
        self.plan = plan
        self.remarks = remarks
    }

    /// Creates a document from the app's own type and calls each of its methods once.
    package init(observing status: any BellerophonObservable) {
        self.init(
            isInactive: status.apiInactive(), requiresUpdate: status.forceUpdate(),
            interval: status.retryInterval(), message: status.userMessage()
        )
    }

    /// The sanitized message; nil if there is none. At most `messageLimit` bytes and 40 lines.
    public var message: String? { facts[.message] }
    /// The lowest version that the app must have if ``requiresUpdate``; sanitized, at most 64 bytes.
    public var requiredVersion: String? { facts[.requiredVersion] }
    /// The rules that are understood, at most 32, in their order.
    public var rules: [Rule] { plan?.entries.compactMap(\.rule) ?? [] }
    /// When the service is expected back; nil if the document does not say. It is shown and decides nothing.
    public var backAt: Date? { plan?.backAt }
    /// An `http` or `https` address from which the update is available.
    public var link: String? { facts[.link] }

    /// ``isInactive``.
    public func apiInactive() -> Bool { isInactive }
    /// ``requiresUpdate``.
    public func forceUpdate() -> Bool { requiresUpdate }
    /// ``interval``, in seconds.
    public func retryInterval() -> TimeInterval { interval }
    /// ``message``, or an empty text if there is none.
    public func userMessage() -> String { message ?? "" }

    /// The longest web address, in bytes.
    package static let addressLimit = 2048

    /// Returns the address if it is a plain web address that is safe to show and to open; otherwise nil.
    ///
    /// An address is refused if it can open another place than it shows, or can act on a terminal: another scheme than
    /// `http` and `https`, more than ``addressLimit`` bytes, white space, controls and everything else that `TextSanitizer`
    /// changes, an escape in the host, a backslash (which browsers read as a slash), quotes and angle brackets. A user name
    /// is refused unless `allowsUserInfo` is true: `https://apple.com@example.net` shows one host and opens another.
    package static func webAddress(_ text: String, allowsUserInfo: Bool = false) -> String? {
        guard text.utf8.count <= addressLimit, isShownAsItIs(text), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty, isPlainHost(host), !isEscaped(authority(of: text)),
            allowsUserInfo || (parts.percentEncodedUser == nil && parts.percentEncodedPassword == nil)
        else { return nil }
        return text
    }

    private static func isShownAsItIs(_ text: String) -> Bool {
        // Compared by scalars, because Swift's `==` treats canonically equivalent texts as equal.
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: addressLimit).unicodeScalars.elementsEqual(
            text.unicodeScalars)
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || "\\\"<>`".unicodeScalars.contains($0) }
    }

    private static func isPlainHost(_ host: String) -> Bool {
        host.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value) }
    }

    /// On Linux a host with escapes crashes the process inside Foundation's transport.
    private static func isEscaped(_ authority: Substring) -> Bool {
        authority[(authority.lastIndex(of: "@") ?? authority.startIndex)...].contains("%")
    }

    /// The text between `//` and the path.
    package static func authority(of text: String) -> Substring {
        guard let start = text.firstRange(of: "//")?.upperBound else { return "" }
        return text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
