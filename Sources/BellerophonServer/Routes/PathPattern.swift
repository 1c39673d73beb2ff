/// The values of a path's named parts.
typealias PathParameters = [String: String]

/// A path with named parts, such as `/v1/apps/:app/status`. A named part is any text without a slash that is not empty.
struct PathPattern: Equatable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    private enum Part: Equatable {
        case text(String)
        case name(String)
    }

    let description: String
    private let parts: [Part]

    init(_ text: String) {
        description = text
        parts = Self.parts(of: text).map { $0.first == ":" ? .name(String($0.dropFirst())) : .text(String($0)) }
    }

    init(stringLiteral text: String) { self.init(text) }

    /// The parts of a path between its slashes. Only exact paths match: caches and the rules of a proxy do not treat `/status/`
    /// and `//status` as `/status`.
    static func parts(of path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }

    /// - Parameter path: the parts of a path without a query.
    /// - Returns: nil if the path does not match.
    func match(_ path: [Substring]) -> PathParameters? {
        guard parts.count == path.count else { return nil }
        var parameters: PathParameters = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .text(let own): guard text == own else { return nil }
            case .name(let name):
                guard !text.isEmpty else { return nil }
                parameters[name] = String(text)
            }
        }
        return parameters
    }

    /// The path with these values.
    func path(_ parameters: PathParameters) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .name(let name): parameters[name] ?? ""
            }
        }.joined(separator: "/")
    }
}
