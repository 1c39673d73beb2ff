/// A selection that names nothing.
public enum BarricadeError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownRequest(String, known: [String])
    case unknownResponse(String, request: String, known: [String])

    /// One line that says what there is to choose from.
    public var description: String {
        switch self {
        case .unknownRequest(let name, let known):
            "no request is named \"\(name)\"; \(Self.list(known))"
        case .unknownResponse(let name, let request, let known):
            "\"\(request)\" has no response named \"\(name)\"; \(Self.list(known))"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "there is none" : "there is " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
