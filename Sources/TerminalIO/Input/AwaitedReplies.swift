import TerminalUI

/// The replies that a program has asked the terminal for and has not got, in the order of its questions.
///
/// A terminal replies in order. So a reply ends the wait for those before it too: the terminal does not know these questions.
struct AwaitedReplies: Equatable, Sendable {
    private var shapes: [ReplyShape] = []

    /// The most replies that are kept. Of more, the last ones are.
    private static let most = 64

    var isEmpty: Bool { shapes.isEmpty }

    mutating func append(_ shape: ReplyShape) {
        if shapes.count == Self.most { shapes.removeFirst() }
        shapes.append(shape)
    }

    /// Ends the wait for a reply that has come, if its input has a shape that is awaited.
    mutating func end(with shape: ReplyShape?) {
        if let index = shapes.firstIndex(where: { $0 == shape }) { shapes.removeFirst(index + 1) }
    }

    /// Whether a reply of a shape is awaited.
    func contains(_ shape: ReplyShape) -> Bool { shapes.contains(shape) }

    /// Whether a report of the cursor's position is awaited.
    var containsCursorReport: Bool { contains(ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R"))) }
}
