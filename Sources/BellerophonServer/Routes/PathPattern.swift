/// The values of a path's named parts.
typealias PathParameters = [String: String]

/// A path with named parts, such as `/v1/apps/:app/status`. A named part is any text without a slash that is not empty.
struct PathPattern: Equatable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    let description: String
    /// A named part begins with a colon.
    private let parts: [String]

    init(stringLiteral text: String) {
        description = text
        parts = Self.parts(of: text).map(String.init)
    }

    /// The parts of a path between its slashes. Only exact paths match: caches and the rules of a proxy do not treat `/status/`
    /// and `//status` as `/status`.
    static func parts(of path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }

    /// - Parameter path: the parts of a path without a query.
    /// - Returns: nil if the path does not match.
    func match(_ path: [Substring]) -> PathParameters? {
        guard parts.count == path.count else { return nil }
        var parameters: PathParameters = [:]
        for (own, text) in zip(parts, path) {
            guard own.hasPrefix(":") ? !text.isEmpty : own == text else { return nil }
            if own.hasPrefix(":") { parameters[String(own.dropFirst())] = String(text) }
        }
        return parameters
    }
}
