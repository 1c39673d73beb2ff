/// A part of the product that reads external bytes, with its invariants.
enum Surface: String, CaseIterable, Sendable {
    /// The decoder of status documents.
    case status
    /// Signed documents, received or produced.
    case jws
    /// The parser of event streams.
    case sse
    /// Scenario files.
    case scenario
    /// The manifest of a resource.
    case manifest
    /// The sanitiser.
    case text
    /// Raw keys.
    case keys
    /// The output of a guarded program.
    case screen
    /// Input from the terminal of a guarded program.
    case input

    /// Checks the surface with an input.
    /// - Throws: a violated invariant. A crash is a failure too.
    func verify(_ input: [UInt8]) throws(Violation) {
        switch self {
        case .status: try StatusSurface.verify(input)
        case .jws: try SignedSurface.verify(input)
        case .sse: try EventStreamSurface.verify(input)
        case .scenario: try ScenarioSurface.verify(input)
        case .manifest: try ManifestSurface.verify(input)
        case .text: try TextSurface.verify(input)
        case .keys: try KeySurface.verify(input)
        case .screen: try ScreenSurface.verify(input)
        case .input: try InputSurface.verify(input)
        }
    }
}

/// A violated invariant, as text.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// - Parameter promise: the text of the violation if the condition is false.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws(Violation) {
    guard !condition else { return }
    throw Violation(promise())
}

/// An input that begins with choices, one byte each; 0 if no byte is left.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    mutating func next<Option>(of options: [Option]) -> Option {
        options[Int(rest.popFirst() ?? 0) % options.count]
    }

    /// The bytes after the choices.
    var payload: [UInt8] { Array(rest) }
}
