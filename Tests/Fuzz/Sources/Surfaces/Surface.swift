/// A part of the product that takes bytes from outside, with what must hold for any.
enum Surface: String, CaseIterable, Sendable {
    /// The decoder of status documents.
    case status
    /// Signed documents, as they come and as we sign them.
    case jws
    /// The parser of event streams.
    case sse
    /// Scenario files.
    case scenario
    /// What a source server says about a resource.
    case manifest
    /// The sanitiser.
    case text
    /// Raw keys.
    case keys

    /// Gives the surface an input.
    /// - Throws: where a promise does not hold. A crash is one that speaks for itself.
    func check(_ input: [UInt8]) throws(Violation) {
        switch self {
        case .status: try StatusSurface.check(input)
        case .jws: try SignedSurface.check(input)
        case .sse: try EventStreamSurface.check(input)
        case .scenario: try ScenarioSurface.check(input)
        case .manifest: try ManifestSurface.check(input)
        case .text: try TextSurface.check(input)
        case .keys: try KeySurface.check(input)
        }
    }
}

/// A promise that does not hold, in words.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// - Parameter promise: what does not hold where the condition doesn't.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws(Violation) {
    guard !condition else { return }
    throw Violation(promise())
}

/// An input that begins with choices: each a byte, 0 where none is left.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    mutating func next<Option>(of options: [Option]) -> Option {
        options[Int(rest.popFirst() ?? 0) % options.count]
    }

    /// What follows the choices.
    var payload: [UInt8] { Array(rest) }
}
