/// Something that a barricade was told, and that names nothing.
public enum BarricadeError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownRequest(String, known: [String])
    case unknownResponse(String, request: String, known: [String])
    case unknownTimeline(String, known: [String])
    /// Counted from 0.
    case unknownStep(Int, count: Int)
    /// No timeline is there to be told, for that request or for any.
    case nothingPlays(String?)

    /// One line that says what there is to choose from.
    public var description: String {
        switch self {
        case .unknownRequest(let name, let known):
            "no request is named \"\(name)\"; \(Self.list(known))"
        case .unknownResponse(let name, let request, let known):
            "\"\(request)\" has no response named \"\(name)\"; \(Self.list(known))"
        case .unknownTimeline(let name, let known):
            "no timeline is named \"\(name)\"; \(Self.list(known))"
        case .unknownStep(let step, let count):
            "there is no step \(step); steps are counted from 0 to \(count - 1)"
        case .nothingPlays(let name):
            name.map { "no timeline plays for \"\($0)\"; play one first" } ?? "no timeline plays; play one first"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "there is none" : "there is " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
