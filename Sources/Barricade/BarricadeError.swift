/// An unknown name or step, or a missing timeline, in a call to a barricade.
public enum BarricadeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No set has that request name; `known` contains the valid names.
    case unknownRequest(String, known: [String])
    /// The set for `request` has no response with that name; `known` contains the valid names.
    case unknownResponse(String, request: String, known: [String])
    /// No registered timeline has that name; `known` contains the valid names.
    case unknownTimeline(String, known: [String])
    /// The timeline has no such step, counted from 0; `count` is the number of steps.
    case unknownStep(Int, count: Int)
    /// No timeline is active for that kind of request; nil stands for any kind.
    case nothingPlays(String?)

    /// The problem in one line, with the valid names or steps.
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
