import Foundation

@testable import Bellerophon

/// A stream gives the same events however it is split into chunks, and its memory use is bounded.
enum EventStreamSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        var choices = Choices(input)
        let limit = choices.next(of: [256 << 10, 8, 24, 64])
        var step = choices.next(of: Array(1...16))
        let bytes = choices.payload
        let whole = Reading([bytes], limit: limit)
        try require(Reading(bytes.map { [$0] }, limit: limit) == whole, "byte for byte it says something else")
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            step = step % 7 + 1
        }
        try require(Reading(pieces, limit: limit) == whole, "in pieces it says something else")
        try whole.requireWithinLimits(limit)
    }

    /// The parser's results for a sequence of chunks, until its first error.
    private struct Reading: Equatable {
        var items: [EventStreamParser.Item] = []
        var problem: EventStreamParser.ParseError?
        var lastEventID = ""

        init(_ pieces: [[UInt8]], limit: Int) {
            var parser = EventStreamParser(limit: limit)
            for piece in pieces where problem == nil {
                do throws(EventStreamParser.ParseError) {
                    items += try parser.consume(piece)
                } catch {
                    problem = error
                }
            }
            // Whether complete events before the error in the last chunk are delivered is unspecified.
            if problem != nil { items = [] }
            lastEventID = parser.lastEventID
        }

        func requireWithinLimits(_ limit: Int) throws(Violation) {
            for case .event(let event) in items {
                try require(event.data.count <= limit, "an event of \(event.data.count) bytes, of \(limit)")
                try require(
                    !event.name.isEmpty && event.name.utf8.count <= 3 * EventStreamParser.nameLimit, "a name without bounds")
                try require(!event.lastEventID.utf8.contains(0), "an id with a null character")
            }
            for case .retry(let wait) in items {
                try require(wait >= .zero && wait < .seconds(1_000_000), "a wait without bounds")
            }
        }
    }
}
