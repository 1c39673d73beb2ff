import TerminalUI

/// The replies that a program has asked the terminal for and has not got, in the order of its questions.
///
/// A terminal replies in order. So a reply ends the wait for those before it too: the terminal does not know these questions.
package struct AwaitedReplies: Equatable, Sendable {
    private var shapes: [ReplyShape] = []

    /// The most replies that are kept. Of more, the last ones are.
    private static let most = 64

    package init() {}

    package var isEmpty: Bool { shapes.isEmpty }

    package mutating func append(_ shape: ReplyShape) {
        if shapes.count == Self.most { shapes.removeFirst() }
        shapes.append(shape)
    }

    /// Takes note that input of a shape has come.
    /// - Returns: whether it was awaited.
    @discardableResult
    package mutating func take(_ shape: ReplyShape) -> Bool {
        guard let index = shapes.firstIndex(of: shape) else { return false }
        shapes.removeFirst(index + 1)
        return true
    }

    /// Whether a reply of a shape is awaited.
    func contains(_ shape: ReplyShape) -> Bool { shapes.contains(shape) }

    /// Whether a string with an introducer is awaited.
    func containsString(_ introducer: UInt8) -> Bool { shapes.contains(ReplyShape(introducer: introducer)) }

    /// Whether a report of the cursor's position is awaited.
    var containsCursorReport: Bool {
        shapes.contains(ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R")))
    }
}
