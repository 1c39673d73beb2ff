import BellerophonBase

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

    /// The problem in one line, with the most similar name, or the valid names or steps.
    public var description: String {
        switch self {
        case .unknownRequest(let name, let known):
            "no request is named \"\(name)\"; \(Self.hint(name, known))"
        case .unknownResponse(let name, let request, let known):
            "\"\(request)\" has no response named \"\(name)\"; \(Self.hint(name, known))"
        case .unknownTimeline(let name, let known):
            "no timeline is named \"\(name)\"; \(Self.hint(name, known))"
        case .unknownStep(let step, let count):
            "there is no step \(step); steps are counted from 0 to \(count - 1)"
        case .nothingPlays(let name):
            name.map { "no timeline plays for \"\($0)\"; play one first" } ?? "no timeline plays; play one first"
        }
    }

    /// The most similar name, or the names if none is similar. Of many names the first few are examples.
    private static func hint(_ name: String, _ known: [String]) -> String {
        if let nearest = EditDistance.nearest(to: name, among: known) { return "did you mean \"\(nearest)\"?" }
        let names = known.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
        return known.isEmpty
            ? "there is none" : known.count > 6 ? "there are \(known.count), such as \(names)" : "there is \(names)"
    }
}
